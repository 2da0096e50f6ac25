// Gradients through all of attention: against finite differences, and against the formulas of calculus.
#include "core/attention_formula.hpp"
#include "core/definition.hpp"
#include "core/finite_differences.hpp"
#include "core/gradient.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;

template <class Real>
Matrix<Real> gradient_of(Tape<Real> tape, const std::string& of, std::size_t row, std::size_t col,
                         const std::string& wrt) {
  return tape.value(record_gradient(tape, *tape.find(of), row, col, *tape.find(wrt)));
}

Matrix<double>& input_of(AttentionInputs<double>& inputs, const std::string& key) {
  if (key == "Q") return inputs.q;
  if (key == "K") return inputs.k;
  return key == "V" ? inputs.v : *inputs.bias;
}

TEST_CASE("the whole Jacobian of attention is what finite differences measure", "[attention][gradient]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Example& example : random_examples(seed)) {
      const Tape<double> tape = attention_tape(example.inputs, example.options);
      const Matrix<double> output = value_of(tape, "output");
      for (const std::string wrt : {"Q", "K", "V", "bias"}) {
        if (!tape.find(wrt)) continue;
        AttentionInputs<double> moved = example.inputs;
        const auto output_at = [&](const Matrix<double>& x) {
          input_of(moved, wrt) = x;
          return value_of(attention_tape(moved, example.options), "output");
        };
        const Derivatives slopes(output_at, input_of(moved, wrt));
        for (std::size_t row = 0; row < output.shape(0); ++row)
          for (std::size_t col = 0; col < output.shape(1); ++col) {
            INFO(example.name << ", d output(" << row << ", " << col << ")/d " << wrt);
            CHECK_THAT(gradient_of(tape, "output", row, col, wrt), AllClose(slopes.at(row, col), 1e-6, 1e-8));
          }
      }
    }
}

TEMPLATE_TEST_CASE("every step of a gradient of attention can be explained", "[attention][gradient]", double, float) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const Example& example : random_examples(seed))
      for (const char* wrt : {"Q", "K", "V", "bias", "scaled"}) {
        Tape<TestType> tape = attention_tape(converted<TestType>(example.inputs), example.options);
        if (!tape.find(wrt)) continue;
        const StepId output = *tape.find("output");
        const std::size_t last = tape.value(output).shape(0) - 1;
        const StepId gradient = record_gradient(tape, output, last, 0, *tape.find(wrt));
        INFO(example.name << ", " << wrt);
        CHECK(tape.step(gradient).key == std::string("grad/") + wrt);
        CHECK(first_fault(tape) == "");
        CHECK(first_false_support(tape) == "");
      }
}

TEMPLATE_TEST_CASE("softmax moves by weight_i (delta_ij - weight_j)", "[attention][gradient]", double, float) {
  Random random(21);
  const SoftmaxKind kind = GENERATE(SoftmaxKind::stable, SoftmaxKind::plain);
  const AttentionInputs<TestType> inputs{random.matrix<TestType>(1, 3),
                                         random.matrix<TestType>(5, 3),
                                         random.matrix<TestType>(5, 1),
                                         table<TestType>({{1, 1, 0, 1, 1}}),
                                         {}};
  const Tape<TestType> tape = attention_tape(inputs, {.softmax = kind});
  const Matrix<TestType> weights = value_of(tape, "weights");
  for (std::size_t i = 0; i < 5; ++i) {
    Matrix<TestType> expected = filled<TestType>(1, 5, 0);
    for (std::size_t j = 0; j < 5; ++j) expected(0, j) = weights(0, i) * ((i == j ? 1 : 0) - weights(0, j));
    INFO("weight " << i);
    CHECK_THAT(gradient_of(tape, "weights", 0, i, "scaled"), AllClose(expected, 0, tolerance<TestType>));
  }
}

TEMPLATE_TEST_CASE("an output moves with a value by the weight of its key", "[attention][gradient]", double, float) {
  Random random(22);
  const AttentionInputs<TestType> inputs{random.matrix<TestType>(2, 3), random.matrix<TestType>(4, 3),
                                         random.matrix<TestType>(4, 2)};
  const Tape<TestType> tape = attention_tape(inputs, {.sight = {.causal = Causal::bottom_right}});
  const Matrix<TestType> weights = value_of(tape, "weights");
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t col = 0; col < 2; ++col) {
      Matrix<TestType> expected = filled<TestType>(4, 2, 0);
      for (std::size_t key = 0; key < 4; ++key) expected(key, col) = weights(row, key);
      CHECK_THAT(gradient_of(tape, "output", row, col, "V"), Same(expected));
    }
}

TEMPLATE_TEST_CASE("a row depends on its own query alone, and on no key that is hidden from it",
                   "[attention][gradient]", double, float) {
  Random random(23);
  const AttentionInputs<TestType> inputs{random.matrix<TestType>(3, 2), random.matrix<TestType>(3, 2),
                                         random.matrix<TestType>(3, 2)};
  const Tape<TestType> tape = attention_tape(inputs, {.sight = {.causal = Causal::top_left}});
  for (std::size_t row = 0; row < 3; ++row) {
    const Matrix<TestType> by_query = gradient_of(tape, "output", row, 0, "Q");
    for (std::size_t other = 0; other < 3; ++other)
      if (other != row) CHECK_THAT(rows_of(by_query, {other}), Same(table<TestType>({{0, 0}})));
    for (std::size_t later = row + 1; later < 3; ++later) {
      CHECK_THAT(rows_of(gradient_of(tape, "output", row, 0, "K"), {later}), Same(table<TestType>({{0, 0}})));
      CHECK_THAT(rows_of(gradient_of(tape, "output", row, 0, "V"), {later}), Same(table<TestType>({{0, 0}})));
    }
  }
}

TEMPLATE_TEST_CASE("the gradient of self-attention is the sum of those for Q, K and V", "[attention][gradient]", double,
                   float) {
  Random random(24);
  const Matrix<TestType> x = random.matrix<TestType>(4, 3);
  for (Causal causal : {Causal::none, Causal::top_left}) {
    const AttentionOptions options{.temperature = 1.5, .sight = {.causal = causal}};
    const Tape<TestType> own = self_attention_tape(x, options), general = attention_tape<TestType>({x, x, x}, options);
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t col = 0; col < 3; ++col) {
        const auto part = [&](const char* key) {
          return gradient_of(general, "output", row, col, key);
        };
        const Matrix<TestType> q = part("Q"), k = part("K"), v = part("V");
        Matrix<TestType> sum = filled<TestType>(4, 3, 0);
        for (std::size_t cell = 0; cell < sum.size(); ++cell)
          sum.data()[cell] = q.data()[cell] + k.data()[cell] + v.data()[cell];
        CHECK_THAT(gradient_of(own, "output", row, col, "X"), AllClose(sum, tolerance<TestType>, tolerance<TestType>));
      }
  }
}

TEST_CASE("a float gradient of attention is the double one, rounded", "[attention][gradient]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Example& example : random_examples(seed))
      for (const char* wrt : {"Q", "K", "V"}) {
        INFO(example.name << ", " << wrt);
        const Matrix<float> rounded =
            gradient_of(attention_tape(converted<float>(example.inputs), example.options), "output", 0, 0, wrt);
        const Matrix<double> exact = gradient_of(attention_tape(example.inputs, example.options), "output", 0, 0, wrt);
        CHECK_THAT(converted<double>(rounded), AllClose(exact, 1e-4, 2e-5));
      }
}

// Example A: q = (1, 1), k = (1, 0), (0, 2), v = (1, 0), (0, 1). With the weights a and b, the output (a, b) and the
// scaled scores z = (q₁/√2, 2·q₂/√2): ∂a/∂z = (ab, −ab), so ∂a/∂q = ab·(1, −2)/√2.
TEST_CASE("the gradient of example A by hand", "[attention][gradient]") {
  const AttentionInputs<double> inputs{table<double>({{1, 1}}), table<double>({{1, 0}, {0, 2}}),
                                       table<double>({{1, 0}, {0, 1}})};
  const double a = 1 / (1 + std::exp(std::sqrt(0.5))), b = 1 - a, root = std::sqrt(2.0);
  const Tape<double> tape = attention_tape(inputs, {});
  CHECK_THAT(gradient_of(tape, "output", 0, 0, "Q"),
             AllClose(table<double>({{a * b / root, -2 * a * b / root}}), 1e-12, 0));
  CHECK_THAT(gradient_of(tape, "output", 0, 0, "K"),
             AllClose(table<double>({{a * b / root, a * b / root}, {-a * b / root, -a * b / root}}), 1e-12, 0));
  CHECK_THAT(gradient_of(tape, "output", 0, 0, "V"), AllClose(table<double>({{a, 0}, {b, 0}}), 1e-12, 0));
  CHECK_THAT(gradient_of(tape, "output", 0, 0, "scaled"), AllClose(table<double>({{a * b, -a * b}}), 1e-12, 0));
}

}  // namespace
}  // namespace attention
