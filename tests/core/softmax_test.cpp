// softmax(x/T)_i = e^(x_i/T) / Σ_j e^(x_j/T), its limits, and where floating point gives out.
#include "core/softmax.hpp"
#include "core/all_close.hpp"
#include "core/definition.hpp"
#include "core/error.hpp"
#include "core/finite_differences.hpp"
#include "core/gradient.hpp"
#include "core/matrices.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-13 : 1e-6;

template <class Real>
Matrix<Real> softmax(const Matrix<Real>& x, double temperature = 1) {
  return softmax_rows(x, temperature, SoftmaxKind::stable);
}

template <class Real>
Matrix<Real> plain_softmax(const Matrix<Real>& x) {
  return softmax_rows(x, 1, SoftmaxKind::plain);
}

TEMPLATE_TEST_CASE("softmax values from elsewhere", "[softmax]", double, float) {
  // Closed form: softmax(0, 1) = (1/(1 + e), e/(1 + e)).
  const double e = 2.718281828459045235;
  CHECK_THAT(softmax(table<TestType>({{0, 1}})),
             AllClose(table<TestType>({{1 / (1 + e), e / (1 + e)}}), tolerance<TestType>, 0));
  // Logarithms of whole numbers give their shares: softmax(ln 2, ln 3, ln 5) = (2, 3, 5)/10.
  CHECK_THAT(softmax(table<TestType>({{std::log(2.0), std::log(3.0), std::log(5.0)}})),
             AllClose(table<TestType>({{0.2, 0.3, 0.5}}), tolerance<TestType>, 0));
  // SciPy, scipy/special/tests/test_logsumexp.py: 0 … 3, from arithmetic with 200 digits; and the same plus 100.
  const Matrix<TestType> shares =
      table<TestType>({{0.03205860328008499, 0.08714431874203256, 0.23688281808991013, 0.6439142598879722}});
  CHECK_THAT(softmax(table<TestType>({{0, 1, 2, 3}})), AllClose(shares, tolerance<TestType>, 0));
  CHECK_THAT(softmax(table<TestType>({{100, 101, 102, 103}})), AllClose(shares, tolerance<TestType>, 0));
  CHECK_THAT(softmax(table<TestType>({{1000, 0, 0, 0}})), Same(table<TestType>({{1, 0, 0, 0}})));
  // TensorFlow.js, tfjs-core/src/ops/softmax_test.ts.
  CHECK_THAT(softmax(table<TestType>({{2, 1, 3}})),
             AllClose(table<TestType>({{0.24472847, 0.09003057, 0.66524095}}), 0, 1e-7));
  CHECK_THAT(softmax(table<TestType>({{-1000, 1000}})), Same(table<TestType>({{0, 1}})));
  // ONNX Runtime, onnxruntime/test/providers/cpu/math/softmax_test.cc: a row without columns.
  CHECK(softmax(filled<TestType>(1, 0, 0)).shape(1) == 0);
}

TEST_CASE("softmax results down to 1e-185", "[softmax]") {
  // SciPy, scipy/special/tests/test_logsumexp.py.
  CHECK_THAT(softmax(table<double>({{-25, 0, 25, 50}, {1, 325, 749, 750}})),
             AllClose(table<double>(
                          {{2.678636961770877e-33, 1.9287498479371314e-22, 1.3887943864771144e-11, 0.999999999986112},
                           {0, 1.9444526359919372e-185, 0.2689414213699951, 0.7310585786300048}}),
                      1e-13, 0));
}

TEMPLATE_TEST_CASE("only differences of scores count, and not their size", "[softmax]", double, float) {
  // To four and three digits, computed by hand from e = 2.71828.
  const Matrix<TestType> close = table<TestType>({{0.7311, 0.2689}});
  CHECK_THAT(softmax(table<TestType>({{10, 9}})), AllClose(close, 0, 5e-5));
  CHECK_THAT(softmax(table<TestType>({{2, 1}})), AllClose(close, 0, 5e-5));
  CHECK_THAT(softmax(table<TestType>({{10, 0}})), AllClose(table<TestType>({{0.99995, 0.00005}}), 0, 5e-6));
  CHECK_THAT(softmax(table<TestType>({{1, 0}})), AllClose(table<TestType>({{0.731, 0.269}}), 0, 5e-4));
}

TEMPLATE_TEST_CASE("doubling the scores and halving T are the same, and not linear", "[softmax]", double, float) {
  const Matrix<TestType> x = table<TestType>({{2, 1, 0}}), doubled = table<TestType>({{4, 2, 0}});
  CHECK_THAT(softmax(x), AllClose(table<TestType>({{0.665, 0.245, 0.090}}), 0, 5e-4));
  CHECK_THAT(softmax(doubled), AllClose(table<TestType>({{0.867, 0.117, 0.016}}), 0, 5e-4));
  CHECK_THAT(softmax(x, 0.5), Same(softmax(doubled)));
}

TEMPLATE_TEST_CASE("softmax is a probability distribution over each row", "[softmax]", double, float) {
  const double rounding = std::numeric_limits<TestType>::epsilon();
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const std::size_t n = random.whole(1, 64);
    const Matrix<TestType> x = random.matrix<TestType>(3, n, -20, 20);
    for (double temperature : {0.25, 1.0, 8.0}) {
      const Matrix<TestType> shares = softmax(x, temperature);
      for (std::size_t row = 0; row < 3; ++row) {
        long double sum = 0;
        for (std::size_t col = 0; col < n; ++col) {
          sum += shares(row, col);
          CHECK(shares(row, col) >= 0);
          CHECK(shares(row, col) <= 1);
          for (std::size_t other = 0; other < n; ++other)
            if (x(row, col) > x(row, other)) CHECK(shares(row, col) >= shares(row, other));
        }
        CHECK(is_close(static_cast<double>(sum), 1, 0, static_cast<double>(n) * rounding));
      }
    }
  }
}

TEMPLATE_TEST_CASE("the order of the columns is the order of the shares", "[softmax]", double, float) {
  CHECK_THAT(softmax(table<TestType>({{3, 1, 2}})),
             AllClose(table<TestType>({{0.66524095, 0.09003057, 0.24472847}}), 0, 1e-7));
  // A tie is a tie, to the last bit.
  const Matrix<TestType> shares = softmax(table<TestType>({{0.1, 0.7, 0.1}}));
  CHECK(shares(0, 0) == shares(0, 2));
}

TEMPLATE_TEST_CASE("plain and stable softmax agree where nothing overflows", "[softmax]", double, float) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const Matrix<TestType> x = random.matrix<TestType>(2, random.whole(1, 16), -10, 10);
    CHECK_THAT(plain_softmax(x), AllClose(softmax(x), 20 * tolerance<TestType>, 0));
  }
}

TEMPLATE_TEST_CASE("T = 0 is the limit: the largest score takes all, ties share", "[softmax]", double, float) {
  CHECK_THAT(softmax(table<TestType>({{1, 3, 2}, {3, 1, 3}, {5, 5, 5}, {-7, -9, -8}}), 0),
             Same(table<TestType>({{0, 1, 0}, {0.5, 0, 0.5}, {1. / 3, 1. / 3, 1. / 3}, {1, 0, 0}})));
  const Matrix<TestType> x = table<TestType>({{0.5, 0.75, 0.25}, {2, 1, 2}});
  CHECK_THAT(softmax(x, 1e-3), AllClose(softmax(x, 0), 0, 1e-15));
  CHECK_THAT(softmax_rows(x, 0, SoftmaxKind::plain), Same(softmax(x, 0)));
}

TEMPLATE_TEST_CASE("T = infinity is the limit: all shares are equal", "[softmax]", double, float) {
  const Matrix<TestType> x = table<TestType>({{1, -3, 2, 700}});
  CHECK_THAT(softmax(x, inf), Same(table<TestType>({{0.25, 0.25, 0.25, 0.25}})));
  CHECK_THAT(softmax(x, 1e30), AllClose(softmax(x, inf), tolerance<TestType>, 0));
  CHECK(softmax(filled<TestType>(2, 0, 0), inf).shape(1) == 0);
}

// For every T > 0: e^(−∞/T) = 0, ∞ − ∞ has no value, and a NaN makes its row NaN (TensorFlow.js,
// tfjs-core/src/ops/softmax_test.ts, 'Propagates NaNs'). The limits cannot say otherwise.
TEMPLATE_TEST_CASE("scores that are not finite are treated alike at every temperature", "[softmax]", double, float) {
  const Matrix<TestType> x =
      table<TestType>({{2, 1, nan}, {0, 0, inf}, {-inf, -inf, -inf}, {1, 1, -inf}, {-inf, 3, -inf}});
  for (double temperature : {0.0, 0.5, 1.0, 1000.0, inf}) {
    INFO("T = " << temperature);
    CHECK_THAT(softmax(x, temperature),
               Same(table<TestType>({{nan, nan, nan}, {nan, nan, nan}, {nan, nan, nan}, {0.5, 0.5, 0}, {0, 1, 0}})));
  }
}

TEST_CASE("exp overflows in float32 above 88.72, and a sum earlier", "[softmax]") {
  // ln FLT_MAX = 88.7228…, ln(FLT_MAX/2) = 88.0297…
  CHECK_THAT(plain_softmax(table<float>({{88.72, 0}})), AllClose(table<float>({{1, 0}}), 0, 1e-6));
  CHECK_THAT(plain_softmax(table<float>({{88.73, 0}})), Same(table<float>({{nan, 0}})));
  CHECK_THAT(plain_softmax(table<float>({{88.02, 88.02}})), AllClose(table<float>({{0.5, 0.5}}), 1e-6, 0));
  CHECK_THAT(plain_softmax(table<float>({{88.04, 88.04}})), Same(table<float>({{0, 0}})));
  CHECK_THAT(plain_softmax(table<float>({{88.5, 88.5}})), Same(table<float>({{0, 0}})));
  CHECK_THAT(plain_softmax(table<float>({{89, 80}})), Same(table<float>({{nan, 0}})));
  // e⁻¹⁰⁴ is less than half of the smallest float: 0/0.
  CHECK_THAT(plain_softmax(table<float>({{-104.5, -105}})), Same(table<float>({{nan, nan}})));
}

TEST_CASE("exp overflows in float64 above 709.78, and a sum earlier", "[softmax]") {
  // ln DBL_MAX = 709.7827…, ln(DBL_MAX/2) = 709.0895…
  CHECK_THAT(plain_softmax(table<double>({{709.78, 0}})), AllClose(table<double>({{1, 0}}), 0, 1e-12));
  CHECK_THAT(plain_softmax(table<double>({{709.79, 0}})), Same(table<double>({{nan, 0}})));
  CHECK_THAT(plain_softmax(table<double>({{709.08, 709.08}})), AllClose(table<double>({{0.5, 0.5}}), 1e-12, 0));
  CHECK_THAT(plain_softmax(table<double>({{709.1, 709.1}})), Same(table<double>({{0, 0}})));
  CHECK_THAT(plain_softmax(table<double>({{-746, -747}})), Same(table<double>({{nan, nan}})));
}

TEMPLATE_TEST_CASE("with the maximum subtracted nothing overflows", "[softmax]", double, float) {
  const double e = 2.718281828459045235;
  const Matrix<TestType> close = table<TestType>({{e / (1 + e), 1 / (1 + e)}});
  for (double base : {-1e6, -746.0, -104.5, 88.5, 89.0, 709.79, 1e6}) {
    INFO("scores near " << base);
    CHECK_THAT(softmax(table<TestType>({{base, base}})), Same(table<TestType>({{0.5, 0.5}})));
    CHECK_THAT(softmax(table<TestType>({{base + 1, base}})), AllClose(close, 2e-4, 0));
  }
  const double largest = std::numeric_limits<TestType>::max();
  CHECK_THAT(softmax(table<TestType>({{largest, -largest}})), Same(table<TestType>({{1, 0}})));
  CHECK_THAT(softmax(table<TestType>({{-largest, -largest}})), Same(table<TestType>({{0.5, 0.5}})));
}

TEST_CASE("small shares are subnormal in float32, and not zero", "[softmax]") {
  // e⁻⁹⁵ = 5.521e-42; e⁻⁸⁸ = 6.0546e-39 and e⁻⁹² = 1.10894e-40 beside e⁰.
  CHECK_THAT(softmax(table<float>({{0, -95}})), AllClose(table<float>({{1, 5.52108e-42}}), 0, 2e-45));
  CHECK_THAT(softmax(table<float>({{90, 2, -2}})),
             AllClose(table<float>({{1, 6.0546019e-39, 1.10893902e-40}}), 0, 2e-45));
}

TEMPLATE_TEST_CASE("a temperature below 0 or NaN is refused", "[softmax]", double, float) {
  for (double temperature : {-1.0, -1e-300, -inf, nan}) {
    INFO("T = " << temperature);
    try {
      softmax(table<TestType>({{1, 2}}), temperature);
      FAIL_CHECK("no error");
    } catch (const AttentionError& error) {
      CHECK(error.code == "temperature-not-positive");
      CHECK(error.field == "temperature");
    }
  }
}

template <class Real>
std::vector<std::string> keys(const Tape<Real>& tape) {
  std::vector<std::string> result;
  for (const Step<Real>& step : tape.steps()) result.push_back(step.key);
  return result;
}

template <class Real>
Matrix<Real> step_of(const Tape<Real>& tape, const std::string& key) {
  return tape.value(*tape.find(key));
}

TEMPLATE_TEST_CASE("the steps of softmax, each only where it does something", "[softmax][tape]", double, float) {
  using Keys = std::vector<std::string>;
  const Matrix<TestType> x = table<TestType>({{1, 3}});
  const auto keys_of = [&](const SoftmaxOptions& options) {
    return keys(softmax_tape(x, options));
  };
  CHECK(keys_of({}) == Keys{"x", "row-max", "shifted", "exp", "row-sum", "weights"});
  CHECK(keys_of({.softmax = SoftmaxKind::plain}) == Keys{"x", "exp", "row-sum", "weights"});
  CHECK(keys_of({.factor = 2, .shift = 1, .temperature = 3, .softmax = SoftmaxKind::plain}) ==
        Keys{"x", "c", "multiplied", "moved", "tempered", "exp", "row-sum", "weights"});
  CHECK(keys_of({.compare_softmax = true}) ==
        Keys{"x", "row-max", "shifted", "exp", "row-sum", "weights", "plain/exp", "plain/row-sum", "plain/weights"});
  CHECK(keys_of({.softmax = SoftmaxKind::plain, .compare_softmax = true}) ==
        Keys{"x", "exp", "row-sum", "weights", "stable/row-max", "stable/shifted", "stable/exp", "stable/row-sum",
             "stable/weights"});
  for (SoftmaxKind kind : {SoftmaxKind::stable, SoftmaxKind::plain})
    CHECK(keys_of({.temperature = 0, .softmax = kind, .compare_softmax = true}) ==
          Keys{"x", "row-max", "shifted", "weights"});
}

TEMPLATE_TEST_CASE("a softmax tape multiplies, then moves, then divides", "[softmax][tape]", double, float) {
  const Matrix<TestType> x = table<TestType>({{2, 1, -1}, {0, 0, 4}});
  const SoftmaxOptions options{.factor = -3, .shift = 0.5, .temperature = 2, .compare_softmax = true};
  const Tape<TestType> tape = softmax_tape(x, options);
  CHECK_THAT(step_of(tape, "multiplied"), Same(table<TestType>({{-6, -3, 3}, {0, 0, -12}})));
  CHECK_THAT(step_of(tape, "moved"), Same(table<TestType>({{-5.5, -2.5, 3.5}, {0.5, 0.5, -11.5}})));
  const Matrix<TestType> tempered = table<TestType>({{-2.75, -1.25, 1.75}, {0.25, 0.25, -5.75}});
  CHECK_THAT(step_of(tape, "tempered"), Same(tempered));
  CHECK_THAT(step_of(tape, "weights"), Same(softmax(tempered)));
  CHECK_THAT(step_of(tape, "plain/weights"), Same(plain_softmax(tempered)));
  CHECK(first_fault(tape) == "");
  // A shift of all scores alone changes nothing.
  CHECK_THAT(step_of(softmax_tape(x, {.shift = 5}), "weights"),
             AllClose(step_of(softmax_tape(x, {}), "weights"), tolerance<TestType>, 0));
}

TEMPLATE_TEST_CASE("a softmax tape at T = 0 is the limit", "[softmax][tape]", double, float) {
  const Tape<TestType> tape =
      softmax_tape(table<TestType>({{1, 3, 2}, {3, 1, 3}}), {.factor = -1, .shift = 2, .temperature = 0});
  CHECK_THAT(step_of(tape, "row-max"), Same(table<TestType>({{1}, {1}})));
  CHECK_THAT(step_of(tape, "shifted"), Same(table<TestType>({{0, -2, -1}, {-2, 0, -2}})));
  CHECK_THAT(step_of(tape, "weights"), Same(table<TestType>({{1, 0, 0}, {0, 1, 0}})));
  CHECK_THAT(step_of(softmax_tape(table<TestType>({{5, 2, 5}}), {.temperature = 0}), "weights"),
             Same(table<TestType>({{0.5, 0, 0.5}})));
  CHECK(first_fault(tape) == "");
}

TEST_CASE("the gradient of a softmax tape is the slope that finite differences measure", "[softmax][gradient]") {
  Random random(5);
  const Matrix<double> x = random.matrix<double>(2, 3);
  for (SoftmaxKind kind : {SoftmaxKind::stable, SoftmaxKind::plain}) {
    const SoftmaxOptions options{.factor = 1.5, .shift = -1, .temperature = 0.5, .softmax = kind};
    const Derivatives slopes(
        [&](const Matrix<double>& at) {
          return step_of(softmax_tape(at, options), "weights");
        },
        x);
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t col = 0; col < 3; ++col) {
        Tape<double> tape = softmax_tape(x, options);
        const StepId gradient = record_gradient(tape, *tape.find("weights"), row, col, *tape.find("x"));
        CHECK_THAT(tape.value(gradient), AllClose(slopes.at(row, col), 1e-6, 1e-8));
      }
  }
}

// ln FLT_MAX = 88.7228…, ln(FLT_MAX/2) = 88.0297…, ln DBL_MAX = 709.7827…, ln(DBL_MAX/2) = 709.0896…
TEMPLATE_TEST_CASE("every step of plain softmax overflows where its own numbers end", "[softmax][tape]", double,
                   float) {
  const bool is_double = std::is_same_v<TestType, double>;
  const auto plain = [](std::initializer_list<std::initializer_list<double>> x) {
    return softmax_tape(table<TestType>(x), {.softmax = SoftmaxKind::plain, .compare_softmax = true});
  };
  const double one_fits = is_double ? 709.78 : 88.72, one_does_not = is_double ? 709.79 : 88.73;
  const Tape<TestType> single = plain({{one_fits}, {one_does_not}});
  CHECK(std::isfinite(step_of(single, "exp")(0, 0)));
  CHECK(step_of(single, "exp")(1, 0) == infinity<TestType>);
  CHECK_THAT(step_of(single, "weights"), Same(table<TestType>({{1}, {nan}})));
  CHECK_THAT(step_of(single, "stable/weights"), Same(table<TestType>({{1}, {1}})));

  const double two_fit = is_double ? 709.08 : 88.02, two_do_not = is_double ? 709.09 : 88.03;
  const Tape<TestType> twins = plain({{two_fit, two_fit}, {two_do_not, two_do_not}});
  CHECK(std::isfinite(step_of(twins, "row-sum")(0, 0)));
  CHECK(step_of(twins, "row-sum")(1, 0) == infinity<TestType>);
  CHECK(std::isfinite(step_of(twins, "exp")(1, 0)));
  CHECK_THAT(step_of(twins, "weights"), Same(table<TestType>({{0.5, 0.5}, {0, 0}})));
  CHECK_THAT(step_of(twins, "stable/weights"), Same(table<TestType>({{0.5, 0.5}, {0.5, 0.5}})));

  // Each finite, the sum not; one not finite; none above 0.
  const double high = is_double ? 709.5 : 88.5, low = is_double ? -746 : -104;
  const Tape<TestType> ends = plain({{high, high}, {high + 0.5, 80}, {low, low - 1}});
  CHECK(std::isfinite(step_of(ends, "exp")(0, 0)));
  CHECK_THAT(step_of(ends, "row-sum"), Same(table<TestType>({{inf}, {inf}, {0}})));
  CHECK_THAT(step_of(ends, "weights"), Same(table<TestType>({{0, 0}, {nan, 0}, {nan, nan}})));
  const Matrix<TestType> right = step_of(ends, "stable/weights");
  CHECK_THAT(right, Same(softmax(table<TestType>({{0, 0}, {high + 0.5 - 80, 0}, {0, -1}}))));
  CHECK(right(0, 0) == TestType(0.5));
}

TEMPLATE_TEST_CASE("no policy for empty rows turns 0/0 of a row that is not empty into numbers", "[softmax]", double,
                   float) {
  for (EmptyRow policy : {EmptyRow::zero, EmptyRow::nan, EmptyRow::uniform}) {
    Tape<TestType> tape;
    const StepId z = tape.input("z", "z", table<TestType>({{-800, -800}, {-800, 0}}));
    const StepId mask = tape.input("mask", "M", table<TestType>({{1, 1}, {1, 0}}));
    const StepId open = record_softmax(tape, z, std::nullopt, SoftmaxKind::plain, policy);
    const StepId hidden = record_softmax(tape, z, mask, SoftmaxKind::plain, policy, "masked/");
    CHECK_THAT(tape.value(open), Same(table<TestType>({{nan, nan}, {0, 1}})));
    CHECK_THAT(tape.value(hidden), Same(table<TestType>({{nan, nan}, {nan, 0}})));
  }
}

TEMPLATE_TEST_CASE("what a softmax tape refuses", "[softmax][tape]", double, float) {
  const auto error_of = [](const SoftmaxOptions& options) {
    try {
      softmax_tape(table<TestType>({{1, 2}}), options);
    } catch (const AttentionError& error) {
      return error.code + " " + error.field;
    }
    return std::string("nothing");
  };
  CHECK(error_of({}) == "nothing");
  for (double number : {nan, inf, -inf}) {
    CHECK(error_of({.factor = number}) == "not-finite factor");
    CHECK(error_of({.shift = number}) == "not-finite shift");
    CHECK(error_of({.temperature = number}) == "temperature-not-positive temperature");
  }
  for (double number : {-1.0, -1e-300, 1e-310})
    CHECK(error_of({.temperature = number}) == "temperature-not-positive temperature");
  // What a double holds and a float does not.
  const bool is_double = std::is_same_v<TestType, double>;
  CHECK(error_of({.factor = 1e300}) == (is_double ? "nothing" : "not-finite factor"));
  CHECK(error_of({.shift = 1e300}) == (is_double ? "nothing" : "not-finite shift"));
  CHECK(error_of({.temperature = 1e-60}) == (is_double ? "nothing" : "temperature-not-positive temperature"));
}

}  // namespace
}  // namespace attention
