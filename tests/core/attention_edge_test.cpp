// Attention at its edges: empty rows, NaN and infinity, overflow, and no tokens at all.
#include "core/attention_formula.hpp"
#include "core/definition.hpp"
#include "core/gradient.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;

template <class Real>
Matrix<Real> output_of(const AttentionInputs<Real>& inputs, const AttentionOptions& options = {}) {
  return value_of(attention_tape(inputs, options), "output");
}

template <class Real>
Matrix<Real> weights_of(const AttentionInputs<Real>& inputs, const AttentionOptions& options = {}) {
  return value_of(attention_tape(inputs, options), "weights");
}

// Scores that are what they are called: one query, d_k = 1, no scale.
template <class Real>
AttentionInputs<Real> of_scores(std::initializer_list<double> scores) {
  AttentionInputs<Real> inputs{table<Real>({{1}}), filled<Real>(scores.size(), 1, 0),
                               filled<Real>(scores.size(), 1, 1)};
  std::copy(scores.begin(), scores.end(), inputs.k.begin());
  return inputs;
}

TEMPLATE_TEST_CASE("a row in which nothing may be seen", "[attention][empty-row]", double, float) {
  AttentionInputs<TestType> inputs{table<TestType>({{1, 0}, {0, 1}}), table<TestType>({{1, 1}, {2, 0}, {0, 3}, {1, 2}}),
                                   table<TestType>({{1, 10}, {2, 20}, {3, 30}, {6, 60}})};
  const Matrix<TestType> seeing = rows_of(output_of(inputs), {0});
  const auto first_row = [](const Matrix<TestType>& matrix) {
    return rows_of(matrix, {0});
  };
  const auto second_row = [](const Matrix<TestType>& matrix) {
    return rows_of(matrix, {1});
  };
  const SoftmaxKind kind = GENERATE(SoftmaxKind::stable, SoftmaxKind::plain);
  const bool by_bias = GENERATE(false, true);
  if (by_bias)
    inputs.bias = table<TestType>({{0, 0, 0, 0}, {-inf, -inf, -inf, -inf}});
  else
    inputs.mask = table<TestType>({{1, 1, 1, 1}, {0, 0, 0, 0}});
  const auto tape_under = [&](EmptyRow policy) {
    return attention_tape(inputs, {.softmax = kind, .empty_row = policy});
  };

  SECTION("is zero by default") {
    const Tape<TestType> tape = attention_tape(inputs, {.softmax = kind});
    CHECK_THAT(second_row(value_of(tape, "weights")), Same(table<TestType>({{0, 0, 0, 0}})));
    CHECK_THAT(second_row(value_of(tape, "output")), Same(table<TestType>({{0, 0}})));
  }
  SECTION("is NaN under the policy nan") {
    const Tape<TestType> tape = tape_under(EmptyRow::nan);
    CHECK_THAT(second_row(value_of(tape, "weights")), Same(table<TestType>({{nan, nan, nan, nan}})));
    CHECK_THAT(second_row(value_of(tape, "output")), Same(table<TestType>({{nan, nan}})));
  }
  SECTION("is the mean of all values under the policy uniform") {
    const Tape<TestType> tape = tape_under(EmptyRow::uniform);
    CHECK_THAT(second_row(value_of(tape, "weights")), Same(table<TestType>({{0.25, 0.25, 0.25, 0.25}})));
    CHECK_THAT(second_row(value_of(tape, "output")), AllClose(table<TestType>({{3, 30}}), tolerance<TestType>, 0));
  }
  SECTION("leaves the other rows alone under every policy") {
    for (EmptyRow policy : {EmptyRow::zero, EmptyRow::nan, EmptyRow::uniform}) {
      const Tape<TestType> tape = tape_under(policy);
      CHECK_THAT(first_row(value_of(tape, "output")), AllClose(seeing, tolerance<TestType>, 0));
      CHECK(first_fault(tape) == "");
      CHECK(first_false_support(tape) == "");
    }
  }
  SECTION("moves with no query and no key, and under the policy uniform alike with every value") {
    for (EmptyRow policy : {EmptyRow::zero, EmptyRow::uniform})
      for (const char* wrt : {"Q", "K", "V"}) {
        Tape<TestType> tape = tape_under(policy);
        const Matrix<TestType> gradient =
            tape.value(record_gradient(tape, *tape.find("output"), 1, 0, *tape.find(wrt)));
        INFO(wrt);
        if (wrt == std::string("V") && policy == EmptyRow::uniform)
          CHECK_THAT(gradient, Same(table<TestType>({{0.25, 0}, {0.25, 0}, {0.25, 0}, {0.25, 0}})));
        else
          CHECK_THAT(gradient, Same(filled<TestType>(gradient.shape(0), 2, 0)));
        CHECK(first_fault(tape) == "");
        CHECK(first_false_support(tape) == "");
      }
  }
}

TEMPLATE_TEST_CASE("an empty row is decided from what is allowed, never from the size of a score",
                   "[attention][empty-row]", double, float) {
  // −1e30 is a score like any other: both keys are equally bad.
  CHECK_THAT(weights_of(of_scores<TestType>({-1e30, -1e30}), {.scale = 1.0}), Same(table<TestType>({{0.5, 0.5}})));
  const double lowest = std::numeric_limits<TestType>::lowest();
  CHECK_THAT(weights_of(of_scores<TestType>({lowest, lowest}), {.scale = 1.0}), Same(table<TestType>({{0.5, 0.5}})));
  AttentionInputs<TestType> inputs = of_scores<TestType>({0, 0});
  inputs.bias = table<TestType>({{lowest, lowest}});
  CHECK_THAT(weights_of(inputs, {.empty_row = EmptyRow::nan}), Same(table<TestType>({{0.5, 0.5}})));
}

// One key is hidden from all queries, one more from the first.
template <class Real>
AttentionInputs<Real> with_hidden_keys() {
  Random random(11);
  return {random.matrix<Real>(2, 2), random.matrix<Real>(4, 2), random.matrix<Real>(4, 2),
          table<Real>({{1, 0, 1, 0}, {1, 0, 1, 1}}), random.matrix<Real>(2, 4)};
}

TEMPLATE_TEST_CASE("NaN and infinity in what a query may not see do not reach its output", "[attention][nan]", double,
                   float) {
  const AttentionInputs<TestType> clean = with_hidden_keys<TestType>();
  for (SoftmaxKind kind : {SoftmaxKind::stable, SoftmaxKind::plain})
    for (double poison : {nan, inf, -inf}) {
      INFO("hidden " << poison);
      const AttentionOptions options{.temperature = 2, .softmax = kind};
      const Matrix<TestType> expected = output_of(clean, options);
      for (std::size_t col = 0; col < 2; ++col) {
        AttentionInputs<TestType> inputs = clean;
        inputs.k(1, col) = inputs.v(1, col) = static_cast<TestType>(poison);
        (*inputs.bias)(0, 1) = (*inputs.bias)(1, 1) = static_cast<TestType>(poison);
        CHECK_THAT(output_of(inputs, options), Same(expected));
        CHECK_THAT(weights_of(inputs, options), Same(weights_of(clean, options)));

        // The last key is seen by the second query.
        inputs.k(3, col) = inputs.v(3, col) = static_cast<TestType>(poison);
        CHECK_THAT(rows_of(output_of(inputs, options), {0}), Same(rows_of(expected, {0})));
      }
    }
}

TEMPLATE_TEST_CASE("NaN and infinity in what nobody may see are in no gradient", "[attention][nan][gradient]", double,
                   float) {
  const AttentionInputs<TestType> clean = with_hidden_keys<TestType>();
  AttentionInputs<TestType> masked_only = clean;
  masked_only.bias.reset();
  for (const AttentionInputs<TestType>& base : {clean, masked_only})
    for (SoftmaxKind kind : {SoftmaxKind::stable, SoftmaxKind::plain})
      for (double poison : {nan, inf, -inf}) {
        AttentionInputs<TestType> inputs = base;
        for (std::size_t col = 0; col < 2; ++col) inputs.k(1, col) = inputs.v(1, col) = static_cast<TestType>(poison);
        const auto gradient = [&](const AttentionInputs<TestType>& from, std::size_t row, const char* wrt) {
          Tape<TestType> tape = attention_tape(from, {.temperature = 2, .softmax = kind});
          return tape.value(record_gradient(tape, *tape.find("output"), row, 1, *tape.find(wrt)));
        };
        for (std::size_t row = 0; row < 2; ++row)
          for (const char* wrt : {"Q", "K", "V"}) {
            INFO("hidden " << poison << ", row " << row << ", " << wrt);
            CHECK_THAT(gradient(inputs, row, wrt), Same(gradient(base, row, wrt)));
          }
        CHECK_THAT(rows_of(gradient(inputs, 1, "K"), {1}), Same(table<TestType>({{0, 0}})));
        CHECK_THAT(rows_of(gradient(inputs, 1, "V"), {1}), Same(table<TestType>({{0, 0}})));
      }
}

TEMPLATE_TEST_CASE("a NaN that a query may see shows", "[attention][nan]", double, float) {
  Random random(12);
  const AttentionInputs<TestType> clean{random.matrix<TestType>(2, 2), random.matrix<TestType>(3, 2),
                                        random.matrix<TestType>(3, 2)};
  const Matrix<TestType> expected = output_of(clean);
  AttentionInputs<TestType> inputs = clean;

  SECTION("in a query: in its row") {
    inputs.q(0, 1) = static_cast<TestType>(nan);
    CHECK_THAT(output_of(inputs), Same(table<TestType>({{nan, nan}, {expected(1, 0), expected(1, 1)}})));
  }
  SECTION("in a key: in every row") {
    inputs.k(2, 0) = static_cast<TestType>(nan);
    CHECK_THAT(output_of(inputs), Same(filled<TestType>(2, 2, static_cast<TestType>(nan))));
  }
  SECTION("in a value: in its column") {
    inputs.v(2, 0) = static_cast<TestType>(nan);
    CHECK_THAT(output_of(inputs), Same(table<TestType>({{nan, expected(0, 1)}, {nan, expected(1, 1)}})));
  }
  SECTION("in a value whose weight has become 0: 0 times NaN is NaN") {
    inputs.v(0, 0) = static_cast<TestType>(nan);
    inputs.bias = table<TestType>({{-1e6, 0, 0}, {-1e6, 0, 0}});
    CHECK(weights_of(inputs)(0, 0) == 0);
    CHECK(std::isnan(output_of(inputs)(0, 0)));
  }
  SECTION("in a bias: in its row") {
    inputs.bias = table<TestType>({{0, nan, 0}, {0, 0, 0}});
    CHECK_THAT(output_of(inputs), Same(table<TestType>({{nan, nan}, {expected(1, 0), expected(1, 1)}})));
  }
  SECTION("in a key, to those who may see it") {
    inputs.k(2, 0) = static_cast<TestType>(nan);
    inputs.mask = table<TestType>({{1, 1, 0}, {1, 1, 1}});
    const Matrix<TestType> output = output_of(inputs);
    CHECK_FALSE(std::isnan(output(0, 0)));
    CHECK(std::isnan(output(1, 0)));
  }
}

TEMPLATE_TEST_CASE("a score of plus infinity gives NaN, of minus infinity no weight", "[attention][nan]", double,
                   float) {
  // As in PyTorch: ∞ − ∞ has no value.
  const Matrix<TestType> weights = weights_of(of_scores<TestType>({inf, 1}), {.scale = 1.0});
  CHECK(std::isnan(weights(0, 0)));
  CHECK(std::isnan(output_of(of_scores<TestType>({inf, 1}), {.scale = 1.0})(0, 0)));
  CHECK_THAT(weights_of(of_scores<TestType>({-inf, 1}), {.scale = 1.0}), Same(table<TestType>({{0, 1}})));
  CHECK_THAT(weights_of(of_scores<TestType>({-inf, -inf}), {.scale = 1.0}), Same(table<TestType>({{nan, nan}})));
  AttentionInputs<TestType> inputs = of_scores<TestType>({0, 1});
  inputs.bias = table<TestType>({{inf, 0}});
  CHECK(std::isnan(output_of(inputs)(0, 0)));
  // A product that overflows is a score of infinity, too.
  const double huge = std::sqrt(static_cast<double>(std::numeric_limits<TestType>::max())) * 2;
  CHECK(std::isnan(output_of<TestType>(
      {table<TestType>({{huge}}), table<TestType>({{huge}, {1}}), filled<TestType>(2, 1, 1)})(0, 0)));
}

TEMPLATE_TEST_CASE("huge scores choose, and do not overflow", "[attention]", double, float) {
  for (double huge : {1e3, 1e10, 1e30}) {
    INFO(huge);
    const AttentionOptions options{.scale = 1.0};
    CHECK_THAT(weights_of(of_scores<TestType>({huge, -huge, 0}), options), Same(table<TestType>({{1, 0, 0}})));
    CHECK_THAT(weights_of(of_scores<TestType>({-huge, -2 * huge}), options), Same(table<TestType>({{1, 0}})));
    CHECK_THAT(weights_of(of_scores<TestType>({huge, huge}), options), Same(table<TestType>({{0.5, 0.5}})));
    Tape<TestType> tape = attention_tape(of_scores<TestType>({huge, -huge, 0}), options);
    record_gradient(tape, *tape.find("output"), 0, 0, *tape.find("K"));
    CHECK(first_fault(tape) == "");
  }
}

TEMPLATE_TEST_CASE("subnormal numbers and minus zero are numbers", "[attention]", double, float) {
  const double tiny = std::numeric_limits<TestType>::denorm_min();
  // Products of subnormals are 0, and e^tiny is 1.
  AttentionInputs<TestType> inputs{table<TestType>({{tiny, tiny}}), table<TestType>({{tiny, 0}, {1, 1}}),
                                   table<TestType>({{2}, {4}})};
  CHECK_THAT(output_of(inputs), Same(table<TestType>({{3}})));
  // A subnormal value comes through a single key unharmed.
  inputs = {table<TestType>({{1}}), table<TestType>({{1}}), table<TestType>({{tiny, -tiny}})};
  CHECK_THAT(output_of(inputs), Same(inputs.v));
  inputs = {table<TestType>({{-0.0}}), table<TestType>({{1}, {-1}}), table<TestType>({{-0.0}, {-0.0}})};
  CHECK_THAT(weights_of(inputs), Same(table<TestType>({{0.5, 0.5}})));
  CHECK(output_of(inputs)(0, 0) == 0);
  // −0 is the same temperature knob as +0: not allowed; the same bias: nothing.
  inputs.bias = table<TestType>({{-0.0, 0}});
  CHECK_FALSE(attention_tape(inputs, {}).find("biased"));
}

TEMPLATE_TEST_CASE("a single key gets all the weight, whatever its score", "[attention]", double, float) {
  Random random(13);
  const Matrix<TestType> v = random.matrix<TestType>(1, 3);
  for (double score : {-1e30, -5.0, 0.0, 5.0, 1e30}) {
    const AttentionInputs<TestType> inputs{table<TestType>({{1}}), table<TestType>({{score}}), v};
    CHECK_THAT(weights_of(inputs), Same(table<TestType>({{1}})));
    CHECK_THAT(output_of(inputs), Same(v));
  }
}

TEMPLATE_TEST_CASE("no queries, no keys, no value columns", "[attention]", double, float) {
  const auto ones = [](std::size_t rows, std::size_t cols) {
    return filled<TestType>(rows, cols, 1);
  };
  const SoftmaxKind kind = GENERATE(SoftmaxKind::stable, SoftmaxKind::plain);
  const Causal causal = GENERATE(Causal::none, Causal::top_left, Causal::bottom_right);
  const AttentionOptions options{.temperature = 2, .sight = {.causal = causal}, .softmax = kind};

  SECTION("no queries: an output without rows") {
    CHECK_THAT(output_of<TestType>({ones(0, 2), ones(3, 2), ones(3, 4)}, options), Same(ones(0, 4)));
    CHECK_THAT(output_of<TestType>({ones(0, 2), ones(3, 2), ones(3, 4), ones(0, 3), ones(0, 3)}, options),
               Same(ones(0, 4)));
  }
  SECTION("no keys: zeros, for a sum of nothing is 0") {
    const Matrix<TestType> zeros = filled<TestType>(2, 4, 0);
    CHECK_THAT(output_of<TestType>({ones(2, 2), ones(0, 2), ones(0, 4)}, options), Same(zeros));
    AttentionOptions uniform = options;
    uniform.empty_row = EmptyRow::uniform;
    CHECK_THAT(output_of<TestType>({ones(2, 2), ones(0, 2), ones(0, 4)}, uniform), Same(zeros));
    Tape<TestType> tape = attention_tape<TestType>({ones(2, 2), ones(0, 2), ones(0, 4)}, options);
    CHECK_THAT(tape.value(record_gradient(tape, *tape.find("output"), 1, 3, *tape.find("Q"))),
               Same(filled<TestType>(2, 2, 0)));
    CHECK(first_fault(tape) == "");
  }
  SECTION("no value columns: an output without columns") {
    CHECK_THAT(output_of<TestType>({ones(2, 2), ones(3, 2), ones(3, 0)}, options), Same(ones(2, 0)));
  }
  SECTION("nothing at all") {
    CHECK_THAT(output_of<TestType>({ones(0, 1), ones(0, 1), ones(0, 0)}, options), Same(ones(0, 0)));
    CHECK_THAT(value_of(self_attention_tape(ones(0, 3), options), "output"), Same(ones(0, 3)));
  }
}

// ln DBL_MAX = 709.78…, ln FLT_MAX = 88.72…
TEMPLATE_TEST_CASE("plain softmax overflows where exp does, stable does not", "[attention][softmax]", double, float) {
  const double finite = std::is_same_v<TestType, double> ? 709.78 : 88.72;
  const double too_large = std::is_same_v<TestType, double> ? 709.79 : 88.73;
  const AttentionOptions both{.scale = 1.0, .compare_softmax = true};

  const Tape<TestType> below = attention_tape(of_scores<TestType>({finite, 0}), both);
  CHECK_THAT(value_of(below, "plain/weights"), AllClose(value_of(below, "weights"), 1e-4, 1e-30));

  const Tape<TestType> above = attention_tape(of_scores<TestType>({too_large, 0}), both);
  CHECK(value_of(above, "plain/exp")(0, 0) == infinity<TestType>);
  CHECK_THAT(value_of(above, "plain/weights"), Same(table<TestType>({{nan, 0}})));
  CHECK_THAT(value_of(above, "weights"), AllClose(table<TestType>({{1, 0}}), 0, 1e-30));
  CHECK_THAT(value_of(above, "output"), Same(table<TestType>({{1}})));
  CHECK(first_fault(above) == "");

  // All so low that every exp is 0: 0/0.
  const Tape<TestType> low = attention_tape(of_scores<TestType>({-800, -800}), both);
  CHECK_THAT(value_of(low, "plain/weights"), Same(table<TestType>({{nan, nan}})));
  CHECK_THAT(value_of(low, "weights"), Same(table<TestType>({{0.5, 0.5}})));

  const AttentionOptions by_hand{.scale = 1.0, .softmax = SoftmaxKind::plain};
  CHECK(std::isnan(output_of(of_scores<TestType>({too_large, 0}), by_hand)(0, 0)));
}

TEST_CASE("a tape of floats rounds like float32 in every step", "[attention]") {
  // 1/3 in float32 is 0x3eaaaaab = 0.3333333432674408; 2²⁴ + 1 is not a float32.
  const Tape<float> thirds = attention_tape(of_scores<float>({1, 1, 1}), {});
  CHECK(value_of(thirds, "weights")(0, 0) == 0.3333333432674408f);
  const Tape<float> large =
      attention_tape<float>({table<float>({{1, 1}}), table<float>({{16777216, 1}}), table<float>({{1}})}, {});
  CHECK(value_of(large, "scores")(0, 0) == 16777216.0f);
}

}  // namespace
}  // namespace attention
