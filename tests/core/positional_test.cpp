// PE(pos, 2r) = sin(pos/base^(2r/d)), PE(pos, 2r+1) = cos(pos/base^(2r/d)) (Vaswani et al. 2017, section 3.5), and
// attention that can see it.
#include "core/positional.hpp"

#include <complex>

#include "core/alibi.hpp"
#include "core/attention_formula.hpp"
#include "core/definition.hpp"
#include "core/finite_differences.hpp"
#include "core/gradient.hpp"
#include "core/rotary.hpp"

namespace attention {
namespace {

std::vector<double> first_places(std::size_t n) {
  std::vector<double> places;
  for (std::size_t place = 0; place < n; ++place) places.push_back(static_cast<double>(place));
  return places;
}

double dot(const Matrix<double>& a, std::size_t i, const Matrix<double>& b, std::size_t j) {
  double sum = 0;
  for (std::size_t col = 0; col < a.shape(1); ++col) sum += a(i, col) * b(j, col);
  return sum;
}

// Straight from the paper, in long double.
template <class Real>
Matrix<Real> paper(const std::vector<double>& positions, std::size_t d, double base) {
  Matrix<Real> result = filled<Real>(positions.size(), d, 0);
  for (std::size_t row = 0; row < positions.size(); ++row)
    for (std::size_t col = 0; col < d; ++col) {
      const long double exponent = static_cast<long double>(col - col % 2) / static_cast<long double>(d);
      const long double angle = positions[row] / std::pow(static_cast<long double>(base), exponent);
      result(row, col) = static_cast<Real>(col % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return result;
}

TEMPLATE_TEST_CASE("an encoding is the formula of the paper", "[positional]", double, float) {
  const double rounding = std::numeric_limits<TestType>::epsilon();
  const std::vector<double> positions = {0, 1, 2, 5, -3, 0.5, 31, 1023, 1e6, 123456789};
  for (std::size_t d : {1, 2, 3, 4, 7, 16, 512})
    for (double base : {1.0, 1.5, 2.0, 100.0, 10000.0, 1e6}) {
      INFO("d = " << d << ", base = " << base);
      const Matrix<TestType> found = sinusoidal<TestType>(positions, d, {.base = base});
      const Matrix<TestType> expected = paper<TestType>(positions, d, base);
      for (std::size_t row = 0; row < positions.size(); ++row)
        CHECK_THAT(rows_of(found, {row}),
                   AllClose(rows_of(expected, {row}), rounding, 2e-15 * (1 + std::abs(positions[row]))));
    }
}

TEST_CASE("dot products of encodings fall with the distance at first", "[positional]") {
  const Matrix<double> pe = sinusoidal<double>(first_places(6), 16, {});
  const double expected[] = {8, 7.49, 6.37, 5.54, 5.56, 6.14};
  for (std::size_t k = 0; k < 6; ++k) CHECK(is_close(dot(pe, 0, pe, k), expected[k], 0, 5e-3));
}

TEST_CASE("a shift by k turns every pair by k times its frequency", "[positional]") {
  for (std::size_t d : {2, 6, 16})
    for (double k : {1.0, -4.0, 7.5}) {
      const Matrix<double> pe = sinusoidal<double>(first_places(8), d, {.base = 100});
      const Matrix<double> moved = sinusoidal<double>(first_places(8), d, {.base = 100, .offset = k});
      for (std::size_t pair = 0; pair < d / 2; ++pair) {
        const double turn = k * std::pow(100.0, -2.0 * static_cast<double>(pair) / static_cast<double>(d));
        for (std::size_t row = 0; row < 8; ++row) {
          const double sine = pe(row, 2 * pair), cosine = pe(row, 2 * pair + 1);
          INFO("d = " << d << ", k = " << k << ", pair " << pair << ", position " << row);
          // (sin, cos) by −kω, which is (cos, sin) by +kω.
          CHECK(is_close(moved(row, 2 * pair), std::cos(turn) * sine + std::sin(turn) * cosine, 0, 1e-12));
          CHECK(is_close(moved(row, 2 * pair + 1), -std::sin(turn) * sine + std::cos(turn) * cosine, 0, 1e-12));
        }
      }
    }
}

TEMPLATE_TEST_CASE("halves are the same columns, sines first", "[positional]", double, float) {
  for (std::size_t d : {1, 2, 5, 8}) {
    const Matrix<TestType> together = sinusoidal<TestType>(first_places(4), d, {});
    const Matrix<TestType> apart = sinusoidal<TestType>(first_places(4), d, {.layout = Layout::halves});
    const std::size_t sines = (d + 1) / 2;
    Matrix<TestType> expected = together;
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t col = 0; col < d; ++col)
        expected(row, col % 2 == 0 ? col / 2 : sines + col / 2) = together(row, col);
    CHECK_THAT(apart, Same(expected));
  }
}

TEST_CASE("products of encodings depend on the distance alone where every sine has its cosine", "[positional]") {
  const auto spread_on_diagonals = [](std::size_t d, Layout layout) {
    const Matrix<double> pe = sinusoidal<double>(first_places(10), d, {.layout = layout});
    double most = 0;
    for (std::size_t i = 0; i + 1 < 10; ++i)
      for (std::size_t j = 0; j + 1 < 10; ++j)
        most = larger_or_nan(most, std::abs(dot(pe, i, pe, j) - dot(pe, i + 1, pe, j + 1)));
    return most;
  };
  for (Layout layout : {Layout::interleaved, Layout::halves}) {
    for (std::size_t d : {2, 4, 16, 64}) CHECK(spread_on_diagonals(d, layout) < 1e-12);
    CHECK(spread_on_diagonals(3, layout) > 1e-5);  // its lone sine is slow
  }
}

TEST_CASE("the length of an encoding is the root of d/2 at every position", "[positional]") {
  for (std::size_t d : {2, 6, 16}) {
    const Matrix<double> pe = sinusoidal<double>(first_places(20), d, {.offset = 1000});
    for (std::size_t row = 0; row < 20; ++row)
      CHECK(is_close(dot(pe, row, pe, row), static_cast<double>(d) / 2, 1e-14, 0));
  }
}

TEMPLATE_TEST_CASE("an offset is added to every position", "[positional]", double, float) {
  CHECK_THAT(sinusoidal<TestType>({0, 1, 7}, 5, {.offset = 3}), Same(sinusoidal<TestType>({3, 4, 10}, 5, {})));
  CHECK(sinusoidal<TestType>({}, 5, {}).shape() == filled<TestType>(0, 5, 0).shape());
}

TEST_CASE("a float encoding is the double one, rounded", "[positional]") {
  const std::vector<double> positions = {0, 3, 1023, 16777217};  // the last one is no float
  CHECK_THAT(sinusoidal<float>(positions, 12, {}), Same(converted<float>(sinusoidal<double>(positions, 12, {}))));
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const AttentionError& error) {
    return error.code + " " + error.field;
  }
  return "nothing";
}

TEMPLATE_TEST_CASE("what an encoding refuses", "[positional]", double, float) {
  const auto error = [](const std::vector<double>& positions, std::size_t d, const SinusoidalOptions& options) {
    return error_of([&] {
      sinusoidal<TestType>(positions, d, options);
    });
  };
  CHECK(error({0, 1}, 4, {.base = 1}) == "nothing");
  CHECK(error({0, 1}, 0, {}) == "bad-size dModel");
  CHECK(error({0, 1}, most_encoded, {}) == "bad-size dModel");
  CHECK(error({0}, static_cast<std::size_t>(-1), {}) == "bad-size dModel");
  for (double base : {0.0, -1.0, 0.5, nan, inf}) CHECK(error({0}, 2, {.base = base}) == "bad-base base");
  for (double bad : {nan, inf, -inf}) {
    CHECK(error({0, bad}, 2, {}) == "not-finite positions");
    CHECK(error({0}, 2, {.offset = bad}) == "not-finite offset");
  }
  CHECK(error({1e308}, 2, {.offset = 1e308}) == "not-finite positions");
  CHECK(error({1e17}, 2, {}) == "bad-position positions");
  CHECK(error({0}, 2, {.offset = -1e17}) == "bad-position positions");
}

// Attention with positions.

const std::vector<std::size_t> order = {2, 0, 3, 1};

Matrix<double> output_of(const Matrix<double>& x, const PositionOptions& positions, const AttentionOptions& options) {
  return value_of(positional_tape(x, positions, options), "output");
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  double largest = 0;
  for (std::size_t cell = 0; cell < a.size(); ++cell)
    largest = larger_or_nan(largest, std::abs(a.data()[cell] - b.data()[cell]));
  return largest;
}

TEST_CASE("attention does not know the order of its rows, unless it is told", "[positional][attention]") {
  const Matrix<double> x = table<double>({{1, 0}, {0, 2}, {-1, 1}, {2, -1}});
  const auto change = [&](const PositionOptions& positions, const AttentionOptions& options) {
    return largest_difference(output_of(rows_of(x, order), positions, options),
                              rows_of(output_of(x, positions, options), order));
  };
  const PositionOptions none{.encoding = Encoding::none}, added{.width = 2},
      beside{.combine = Combine::concatenate, .width = 4};
  const PositionOptions rotary{.encoding = Encoding::rotary}, alibi{.encoding = Encoding::alibi};
  CHECK(change(rotary, {}) > 0.1);
  CHECK(change(alibi, {}) > 0.1);
  CHECK(change(none, {}) <= 1e-12);
  CHECK(change(none, {.sight = {.causal = Causal::top_left}}) > 0.1);
  CHECK(change(added, {}) > 0.1);
  CHECK(change(beside, {}) > 0.01);
}

TEMPLATE_TEST_CASE("the steps of attention with positions", "[positional][attention]", double, float) {
  const Matrix<TestType> x = table<TestType>({{1, 0, 2}, {0, 2, 1}});
  const AttentionOptions options{.temperature = 2, .sight = {.causal = Causal::top_left}};

  SECTION("without an encoding are those of self-attention") {
    const Tape<TestType> tape = positional_tape(x, {.encoding = Encoding::none}, options);
    const Tape<TestType> plain = self_attention_tape(x, options);
    REQUIRE(tape.steps().size() == plain.steps().size());
    for (StepId id = 0; id < tape.steps().size(); ++id) {
      CHECK(tape.step(id).key == plain.step(id).key);
      CHECK_THAT(tape.value(id), Same(plain.value(id)));
    }
  }
  SECTION("begin with X, P and H = X + P") {
    const Tape<TestType> tape = positional_tape(x, {.sinusoidal = {.offset = 3}, .width = 3}, options);
    CHECK(tape.step(0).key == "X");
    CHECK(tape.step(1).key == "P");
    CHECK(tape.step(2).key == "H");
    const Matrix<TestType> p = sinusoidal<TestType>({3, 4}, 3, {});
    CHECK_THAT(tape.value(1), Same(p));
    Matrix<TestType> sum = x;
    for (std::size_t cell = 0; cell < sum.size(); ++cell) sum.data()[cell] += p.data()[cell];
    CHECK_THAT(tape.value(2), Same(sum));
    CHECK_THAT(value_of(tape, "output"), Same(value_of(self_attention_tape(sum, options), "output")));
    CHECK(first_fault(tape) == "");
  }
  SECTION("or H = [X, P], whose scores are those of X and of P together") {
    const Tape<TestType> tape = positional_tape(
        x, {.sinusoidal = {.layout = Layout::halves}, .combine = Combine::concatenate, .width = 5}, options);
    const Matrix<TestType> p = sinusoidal<TestType>({0, 1}, 5, {.layout = Layout::halves}), h = value_of(tape, "H");
    REQUIRE(h.shape(1) == 8);
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t col = 0; col < 8; ++col) CHECK(h(row, col) == (col < 3 ? x(row, col) : p(row, col - 3)));
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const double together = dot(converted<double>(x), i, converted<double>(x), j) +
                                dot(converted<double>(p), i, converted<double>(p), j);
        CHECK(is_close(value_of(tape, "scores")(i, j), together, 1e-6, 1e-6));
        if (std::is_same_v<TestType, double>) CHECK(is_close(value_of(tape, "scores")(i, j), together, 1e-14, 1e-14));
        CHECK(is_close(value_of(tape, "scaled")(i, j), together / std::sqrt(8.0), 1e-6, 1e-6));
      }
    CHECK(first_fault(tape) == "");
  }
}

// Rotary positions.

PositionOptions rotary_positions(Layout layout, double base = 10000, double offset = 0) {
  return {.encoding = Encoding::rotary, .sinusoidal = {.base = base, .layout = layout, .offset = offset}};
}

// Where the two numbers of a pair stand.
std::pair<std::size_t, std::size_t> pair_at(std::size_t pair, std::size_t d, Layout layout) {
  return layout == Layout::interleaved ? std::pair(2 * pair, 2 * pair + 1) : std::pair(pair, d / 2 + pair);
}

TEST_CASE("turning a row is multiplying complex numbers by e^(i·position·frequency)", "[positional][rotary]") {
  Random random(41);
  for (Layout layout : {Layout::interleaved, Layout::halves})
    for (std::size_t d : {2, 4, 7, 16})
      for (double offset : {0.0, 5.0, -2.5, 1000.0}) {
        const Matrix<double> x = random.matrix<double>(6, d);
        const Matrix<double> r = value_of(positional_tape(x, rotary_positions(layout, 100, offset), {}), "R");
        const std::size_t turned = d / 2 * 2;
        for (std::size_t row = 0; row < 6; ++row) {
          for (std::size_t pair = 0; pair < turned / 2; ++pair) {
            INFO("d = " << d << ", offset = " << offset << ", position " << row << ", pair " << pair);
            const auto [u, v] = pair_at(pair, turned, layout);
            const double angle = (static_cast<double>(row) + offset) *
                                 std::pow(100.0, -2.0 * static_cast<double>(pair) / static_cast<double>(turned));
            const std::complex<double> expected = std::complex<double>(x(row, u), x(row, v)) * std::polar(1.0, angle);
            CHECK(is_close(r(row, u), expected.real(), 0, 1e-12));
            CHECK(is_close(r(row, v), expected.imag(), 0, 1e-12));
          }
          for (std::size_t col = turned; col < d; ++col) CHECK(r(row, col) == x(row, col));
        }
      }
}

TEMPLATE_TEST_CASE("turned rows are those of rotary(), and keep their lengths", "[positional][rotary]", double, float) {
  Random random(42);
  const double close = 8 * std::numeric_limits<TestType>::epsilon();
  for (std::size_t d : {2, 6, 7}) {
    const Matrix<TestType> x = random.matrix<TestType>(9, d);
    Tensor<TestType> same = zeros<TestType>({9, d});
    for (std::size_t cell = 0; cell < x.size(); ++cell) same.data()[cell] = x.data()[cell];
    Tensor<double> places = zeros<double>({9});
    for (std::size_t row = 0; row < 9; ++row) places.data()[row] = static_cast<double>(row) + 3;
    for (Layout layout : {Layout::interleaved, Layout::halves}) {
      const Matrix<TestType> r = value_of(positional_tape(x, rotary_positions(layout, 50, 3), {}), "R");
      const Tensor<TestType> expected = rotary<TestType>(
          {same, places, {}, {}}, {.base = 50, .interleaved = layout == Layout::interleaved, .rotary_dim = d / 2 * 2});
      for (std::size_t row = 0; row < 9; ++row) {
        double before = 0, after = 0;
        for (std::size_t col = 0; col < d; ++col) {
          CHECK(is_close(r(row, col), expected(row, col), close, close));
          before += std::pow(static_cast<double>(x(row, col)), 2);
          after += std::pow(static_cast<double>(r(row, col)), 2);
        }
        CHECK(is_close(after, before, close, 0));
      }
    }
  }
}

TEST_CASE("products of turned rows depend on the distance alone, those of added encodings do not",
          "[positional][rotary]") {
  Random random(43);
  // One vector in every place.
  const Matrix<double> q = random.matrix<double>(1, 6), k = random.matrix<double>(1, 6);
  const auto everywhere = [](const Matrix<double>& row) {
    return rows_of(row, std::vector<std::size_t>(12, 0));
  };
  const auto spread = [&](const PositionOptions& positions, const char* key) {
    const Matrix<double> a = value_of(positional_tape(everywhere(q), positions, {}), key),
                         b = value_of(positional_tape(everywhere(k), positions, {}), key);
    double most = 0;
    for (std::size_t i = 0; i + 1 < 12; ++i)
      for (std::size_t j = 0; j + 1 < 12; ++j)
        most = larger_or_nan(most, std::abs(dot(a, i, b, j) - dot(a, i + 1, b, j + 1)));
    return most;
  };
  for (Layout layout : {Layout::interleaved, Layout::halves}) CHECK(spread(rotary_positions(layout), "R") < 1e-13);
  CHECK(spread({.width = 6}, "H") > 0.01);
}

TEST_CASE("rotary scores stay when all positions are shifted, those of an added encoding do not",
          "[positional][rotary]") {
  Random random(44);
  const Matrix<double> x = random.matrix<double>(5, 4);
  const auto change = [&](PositionOptions positions, double offset) {
    const Matrix<double> before = value_of(positional_tape(x, positions, {}), "scores");
    positions.sinusoidal.offset = offset;
    return largest_difference(value_of(positional_tape(x, positions, {}), "scores"), before);
  };
  for (double offset : {1.0, 7.0, -3.5, 1000.0}) {
    for (Layout layout : {Layout::interleaved, Layout::halves}) CHECK(change(rotary_positions(layout), offset) < 1e-11);
    CHECK(change({.width = 4}, offset) > 0.01);
  }
}

TEMPLATE_TEST_CASE("rotary positions turn queries and keys, not values", "[positional][rotary]", double, float) {
  const Matrix<TestType> x = table<TestType>({{1, 0, 2}, {0, 2, 1}, {3, 1, 0}});
  const AttentionOptions options{.temperature = 2, .sight = {.causal = Causal::top_left}};
  const Tape<TestType> tape = positional_tape(x, rotary_positions(Layout::interleaved), options);
  const Matrix<TestType> r = value_of(tape, "R");
  CHECK_THAT(value_of(tape, "output"), Same(value_of(attention_tape<TestType>({r, r, x, {}, {}}, options), "output")));
  CHECK_THAT(rows_of(r, {0}), Same(rows_of(x, {0})));  // position 0 stays
  CHECK(first_fault(tape) == "");
}

// Attention with linear biases.

PositionOptions alibi_positions(std::size_t heads, std::size_t head) {
  return {.encoding = Encoding::alibi, .heads = heads, .head = head};
}

TEMPLATE_TEST_CASE("ALiBi takes its slope from every score, once for each token between", "[positional][alibi]", double,
                   float) {
  const Matrix<TestType> x = table<TestType>({{1, 0}, {0, 2}, {-1, 1}, {2, -1}});
  // Press, Smith & Lewis 2022, section 3: 8 heads have 1/2 … 1/256. 12 and 6 are no powers of two: get_slopes of the
  // authors takes those of 8 and 4, and goes on with every second one of 16 and of 8.
  const struct {
    std::size_t heads, head;
    double slope;
  } cases[] = {{8, 0, 0.5},
               {8, 1, 0.25},
               {8, 7, 1. / 256},
               {12, 7, 1. / 256},
               {12, 8, std::pow(2, -0.5)},
               {12, 11, std::pow(2, -3.5)},
               {6, 3, 1. / 256},
               {6, 4, 0.5},
               {6, 5, 0.125},
               {1, 0, 1. / 256}};
  for (const auto& [heads, head, slope] : cases)
    for (Causal causal : {Causal::none, Causal::top_left}) {
      INFO("head " << head << " of " << heads);
      const AttentionOptions options{.sight = {.causal = causal}};
      const Tape<TestType> tape = positional_tape(x, alibi_positions(heads, head), options);
      const Matrix<TestType> bias = value_of(tape, "bias"), scaled = value_of(tape, "scaled"),
                             biased = value_of(tape, "biased");
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
          const double distance = std::abs(static_cast<double>(i) - static_cast<double>(j));
          CHECK(is_close(bias(i, j), -slope * distance, std::numeric_limits<TestType>::epsilon(), 0));
          CHECK(biased(i, j) == scaled(i, j) + bias(i, j));
        }
      for (std::size_t i = 0; i < 4; ++i) CHECK(bias(i, i) == 0);
      CHECK_THAT(value_of(tape, "output"),
                 Same(value_of(attention_tape<TestType>({x, x, x, {}, bias}, options), "output")));
      CHECK(first_fault(tape) == "");
    }
  CHECK(!positional_tape(rows_of(x, {0}), alibi_positions(8, 0), {}).find("bias"));
}

TEST_CASE("ALiBi without a mask does not know which way a sentence runs", "[positional][alibi]") {
  const Matrix<double> x = table<double>({{1, 0}, {0, 2}, {-1, 1}, {2, -1}});
  const std::vector<std::size_t> reversed = {3, 2, 1, 0};
  const auto change = [&](const PositionOptions& positions, Causal causal) {
    const AttentionOptions options{.sight = {.causal = causal}};
    return largest_difference(output_of(rows_of(x, reversed), positions, options),
                              rows_of(output_of(x, positions, options), reversed));
  };
  CHECK(change(alibi_positions(8, 0), Causal::none) <= 1e-12);
  CHECK(change(alibi_positions(8, 0), Causal::top_left) > 0.1);
  CHECK(change(rotary_positions(Layout::interleaved), Causal::none) > 0.01);
}

TEST_CASE("the gradient through positions is what finite differences measure", "[positional][gradient]") {
  Random random(31);
  const Matrix<double> x = random.matrix<double>(3, 2);
  const PositionOptions rotary = rotary_positions(Layout::halves, 100, 2), alibi = alibi_positions(6, 4);
  for (Causal causal : {Causal::none, Causal::top_left})
    for (const PositionOptions& positions :
         {PositionOptions{.encoding = Encoding::none}, PositionOptions{.width = 2},
          PositionOptions{.combine = Combine::concatenate, .width = 3}, rotary, alibi}) {
      const AttentionOptions options{.temperature = 1.5, .sight = {.causal = causal}};
      const Matrix<double> output = output_of(x, positions, options);
      const Derivatives slopes(
          [&](const Matrix<double>& at) {
            return output_of(at, positions, options);
          },
          x);
      for (std::size_t row = 0; row < output.shape(0); ++row)
        for (std::size_t col = 0; col < output.shape(1); ++col) {
          Tape<double> tape = positional_tape(x, positions, options);
          const StepId gradient = record_gradient(tape, *tape.find("output"), row, col, *tape.find("X"));
          CHECK_THAT(tape.value(gradient), AllClose(slopes.at(row, col), 1e-6, 1e-8));
          CHECK(first_fault(tape) == "");
          CHECK(first_false_support(tape) == "");
        }
    }
}

TEMPLATE_TEST_CASE("what attention with positions refuses", "[positional]", double, float) {
  const Matrix<TestType> x = filled<TestType>(2, 3, 1);
  const auto error = [](const Matrix<TestType>& tokens, const PositionOptions& positions,
                        const AttentionOptions& options = {}) {
    return error_of([&] {
      positional_tape(tokens, positions, options);
    });
  };
  CHECK(error(x, {.width = 3}) == "nothing");
  CHECK(error(x, {.width = 2}) == "dimension-mismatch width");
  CHECK(error(x, {.combine = Combine::concatenate, .width = 2}) == "nothing");
  CHECK(error(x, {.combine = Combine::concatenate, .width = 0}) == "bad-size width");
  CHECK(error(x, {.combine = Combine::concatenate, .width = most_encoded}) == "bad-size width");
  CHECK(error(x, {.sinusoidal = {.base = 0}, .width = 3}) == "bad-base base");
  CHECK(error(x, rotary_positions(Layout::halves)) == "nothing");
  CHECK(error(filled<TestType>(2, 1, 1), rotary_positions(Layout::halves)) == "nothing");  // nothing is turned
  CHECK(error(x, rotary_positions(Layout::halves, 0.5)) == "bad-base base");
  CHECK(error(x, rotary_positions(Layout::halves, 100, inf)) == "not-finite offset");
  CHECK(error(x, rotary_positions(Layout::halves, 100, 1e17)) == "bad-position positions");
  CHECK(error(x, alibi_positions(1, 0)) == "nothing");
  CHECK(error(x, alibi_positions(0, 0)) == "bad-size heads");
  CHECK(error(x, alibi_positions(8, 8)) == "no-such-head head");
  CHECK(error(x, alibi_positions(8, static_cast<std::size_t>(-1))) == "no-such-head head");
  CHECK(error(filled<TestType>(2, 0, 1), {.width = 3}) == "empty x");
  CHECK(error(x, {.width = 3}, {.temperature = 0}) == "temperature-not-positive temperature");
}

}  // namespace
}  // namespace attention
