// Gradients of attention over heads: against the tape's, and against finite differences.
#include "core/attention_gradient.hpp"

#include "core/all_close.hpp"
#include "core/attention_formula.hpp"
#include "core/finite_differences.hpp"
#include "core/gradient.hpp"
#include "core/head_configuration.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

using Inputs = HeadInputs<double>;

template <class Real>
Tensor<Real> output_shaped(Random& random, const HeadInputs<Real>& inputs) {
  return random.tensor<Real>({inputs.q.shape(0), inputs.q.shape(1), inputs.q.shape(2), inputs.v.shape(3)}, -1, 1);
}

Tensor<double> as_heads(const Matrix<double>& matrix) {
  Tensor<double> result = zeros<double>({1, 1, matrix.shape(0), matrix.shape(1)});
  std::copy(matrix.begin(), matrix.end(), result.begin());
  return result;
}

// Σ given·d output/d input, from the gradient of each cell of the output.
Matrix<double> gradient_of_tape(const Tape<double>& tape, const Tensor<double>& given, const char* wrt) {
  const Matrix<double>& input = tape.value(*tape.find(wrt));
  Matrix<double> sum = filled<double>(input.shape(0), input.shape(1), 0);
  for (std::size_t row = 0; row < given.shape(2); ++row)
    for (std::size_t col = 0; col < given.shape(3); ++col) {
      Tape<double> copy = tape;
      const StepId gradient = record_gradient(copy, *copy.find("output"), row, col, *copy.find(wrt));
      for (std::size_t cell = 0; cell < sum.size(); ++cell)
        sum.data()[cell] += given(0, 0, row, col) * copy.value(gradient).data()[cell];
    }
  return sum;
}

TEST_CASE("the gradients of a head are those of the tape", "[heads][gradient]") {
  Random random(61);
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Example& example : random_examples(seed)) {
      AttentionOptions options = example.options;
      options.empty_row = EmptyRow::zero;
      Inputs inputs{
          as_heads(example.inputs.q), as_heads(example.inputs.k), as_heads(example.inputs.v), {}, {}, {}, {}, {}, {}};
      if (example.inputs.mask) inputs.mask = as_heads(*example.inputs.mask);
      if (example.inputs.bias) inputs.bias = as_heads(*example.inputs.bias);
      const Tensor<double> given = output_shaped(random, inputs);
      const HeadGradients<double> found = attention_gradient_of_heads(inputs, given, options);
      const Tape<double> tape = attention_tape(example.inputs, options);
      INFO(example.name);
      CHECK_THAT(flat(found.q), AllClose(flat(gradient_of_tape(tape, given, "Q")), 1e-11, 1e-12));
      CHECK_THAT(flat(found.k), AllClose(flat(gradient_of_tape(tape, given, "K")), 1e-11, 1e-12));
      CHECK_THAT(flat(found.v), AllClose(flat(gradient_of_tape(tape, given, "V")), 1e-11, 1e-12));
    }
}

TEST_CASE("the gradients of heads are what finite differences measure", "[heads][gradient]") {
  Random random(62);
  for (int round = 0; round < 40; ++round) {
    Configuration<double> of = configuration<double>(random, {.tokens = 4, .width = 3, .cached = 2});
    of.options.empty_row = EmptyRow::zero;
    const Tensor<double> given = output_shaped(random, of.inputs);
    const HeadGradients<double> found = attention_gradient_of_heads(of.inputs, given, of.options);
    const auto measured = [&](Tensor<double> Inputs::*input) {
      Inputs moved = of.inputs;
      const Matrix<double> at = flat(of.inputs.*input);
      const auto loss = [&](const Matrix<double>& x) {
        std::copy(x.begin(), x.end(), (moved.*input).begin());
        const Tensor<double> output = attention_of_heads(moved, of.options, Keep::nothing).output;
        Matrix<double> sum = filled<double>(1, 1, 0);
        for (std::size_t cell = 0; cell < output.size(); ++cell) sum(0, 0) += output.data()[cell] * given.data()[cell];
        return sum;
      };
      return Derivatives(loss, at).at(0, 0);
    };
    INFO("round " << round);
    CHECK(shape_of(found.q) == shape_of(of.inputs.q));
    CHECK(shape_of(found.k) == shape_of(of.inputs.k));
    CHECK(shape_of(found.v) == shape_of(of.inputs.v));
    if (found.q.size() > 0) CHECK_THAT(flat(found.q), AllClose(measured(&Inputs::q), 1e-6, 1e-8));
    if (found.k.size() > 0) CHECK_THAT(flat(found.k), AllClose(measured(&Inputs::k), 1e-6, 1e-8));
    if (found.v.size() > 0) CHECK_THAT(flat(found.v), AllClose(measured(&Inputs::v), 1e-6, 1e-8));
  }
}

TEMPLATE_TEST_CASE("heads of queries that share keys add up", "[heads][gradient]", double, float) {
  Random random(63);
  HeadInputs<TestType> inputs{random.tensor<TestType>({1, 4, 3, 2}),
                              random.tensor<TestType>({1, 2, 5, 2}),
                              random.tensor<TestType>({1, 2, 5, 3}),
                              {},
                              {},
                              {},
                              {},
                              {},
                              {}};
  const Tensor<TestType> given = output_shaped(random, inputs);
  const HeadGradients<TestType> shared = attention_gradient_of_heads(inputs, given, {});
  const auto repeated = [](const Tensor<TestType>& heads) {
    Tensor<TestType> result = zeros<TestType>({1, 4, heads.shape(2), heads.shape(3)});
    const std::size_t cells = heads.shape(2) * heads.shape(3);
    for (std::size_t head = 0; head < 4; ++head)
      std::copy_n(heads.data() + head / 2 * cells, cells, result.data() + head * cells);
    return result;
  };
  inputs.k = repeated(inputs.k);
  inputs.v = repeated(inputs.v);
  const HeadGradients<TestType> apart = attention_gradient_of_heads(inputs, given, {});
  CHECK_THAT(flat(shared.q), Same(flat(apart.q)));
  for (std::size_t head = 0; head < 2; ++head)
    for (std::size_t key = 0; key < 5; ++key)
      CHECK(is_close(shared.v(0, head, key, 1), apart.v(0, 2 * head, key, 1) + apart.v(0, 2 * head + 1, key, 1), 1e-6,
                     1e-6));
}

TEST_CASE("gradients of heads refuse what attention refuses, and more", "[heads][gradient]") {
  const Inputs inputs{
      zeros<double>({2, 4, 3, 2}), zeros<double>({2, 2, 5, 2}), zeros<double>({2, 2, 5, 6}), {}, {}, {}, {}, {}, {}};
  const Tensor<double> given = zeros<double>({2, 4, 3, 6});
  const auto call = [&](const Inputs& in, const Tensor<double>& gradient, const AttentionOptions& options) {
    return [=] {
      attention_gradient_of_heads(in, gradient, options);
    };
  };
  CHECK(refusal(call(inputs, given, {})) == "nothing");
  CHECK(refused(call(inputs, zeros<double>({2, 4, 3, 2}), {}), "dimension-mismatch outputGradient",
                {"[2, 4, 3, 2]", "[2, 2, 5, 6]"}));
  CHECK(refused(call(inputs, zeros<double>({4, 3, 6}), {}), "dimension-mismatch outputGradient"));
  AttentionOptions options;
  options.empty_row = EmptyRow::uniform;
  CHECK(refused(call(inputs, given, options), "not-a-choice emptyRow"));
  options = {};
  options.temperature = 0;
  CHECK(refused(call(inputs, given, options), "temperature-not-positive temperature"));
  Inputs other = inputs;
  other.k = zeros<double>({2, 3, 5, 2});
  CHECK(refused(call(other, given, {}), "dimension-mismatch k"));
}

}  // namespace
}  // namespace attention
