// Attention: the numbers of the first lesson, the steps on its tape, and what masks, bias, scale and temperature do.
#include "core/attention_formula.hpp"
#include "core/definition.hpp"
#include "core/error.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;

template <class Real>
AttentionInputs<Real> example_a() {
  return {table<Real>({{1, 1}}), table<Real>({{1, 0}, {0, 2}}), table<Real>({{1, 0}, {0, 1}})};
}

template <class Real>
AttentionInputs<Real> example_b() {
  return {table<Real>({{2, 0}}), table<Real>({{2, 0}, {0, 2}}), table<Real>({{10, 0}, {0, 10}})};
}

template <class Real>
Matrix<Real> output_of(const AttentionInputs<Real>& inputs, const AttentionOptions& options = {}) {
  return value_of(attention_tape(inputs, options), "output");
}

template <class Real>
Matrix<Real> weights_of(const AttentionInputs<Real>& inputs, const AttentionOptions& options = {}) {
  return value_of(attention_tape(inputs, options), "weights");
}

template <class Real>
std::vector<std::string> keys_of(const Tape<Real>& tape) {
  std::vector<std::string> keys;
  for (const Step<Real>& step : tape.steps()) keys.push_back(step.key);
  return keys;
}

using Keys = std::vector<std::string>;

// q·k₁ = 1, q·k₂ = 2; over √2 they are 1/√2 and √2, which differ by 1/√2. So the weights are 1/(1 + e^(±1/√2)).
TEMPLATE_TEST_CASE("example A of the first lesson", "[attention]", double, float) {
  const double root = std::sqrt(2.0), close = tolerance<TestType>;
  const double first = 1 / (1 + std::exp(1 / root)), second = 1 / (1 + std::exp(-1 / root));
  const Tape<TestType> tape = attention_tape(example_a<TestType>(), {.compare_softmax = true});
  const auto check = [&](const char* key, const Matrix<TestType>& expected) {
    INFO(key);
    CHECK_THAT(value_of(tape, key), AllClose(expected, close, 0));
  };
  check("scores", table<TestType>({{1, 2}}));
  check("scaled", table<TestType>({{1 / root, root}}));
  check("row-max", table<TestType>({{root}}));
  check("shifted", table<TestType>({{-1 / root, 0}}));
  check("exp", table<TestType>({{std::exp(-1 / root), 1}}));
  check("row-sum", table<TestType>({{1 + std::exp(-1 / root)}}));
  check("weights", table<TestType>({{first, second}}));
  check("output", table<TestType>({{first, second}}));
  check("plain/exp", table<TestType>({{std::exp(1 / root), std::exp(root)}}));
  check("plain/row-sum", table<TestType>({{std::exp(1 / root) + std::exp(root)}}));
  check("plain/weights", table<TestType>({{first, second}}));
  CHECK(first_fault(tape) == "");
}

// q·k₁ = 4, q·k₂ = 0; over √2 they are 2√2 and 0.
TEMPLATE_TEST_CASE("example B of the first lesson", "[attention]", double, float) {
  const double root = std::sqrt(2.0), close = tolerance<TestType>;
  const double first = 1 / (1 + std::exp(-2 * root)), second = 1 / (1 + std::exp(2 * root));
  const Tape<TestType> tape = attention_tape(example_b<TestType>(), {.compare_softmax = true});
  const auto check = [&](const char* key, const Matrix<TestType>& expected) {
    INFO(key);
    CHECK_THAT(value_of(tape, key), AllClose(expected, close, 0));
  };
  check("scores", table<TestType>({{4, 0}}));
  check("scaled", table<TestType>({{2 * root, 0}}));
  check("row-max", table<TestType>({{2 * root}}));
  check("shifted", table<TestType>({{0, -2 * root}}));
  check("exp", table<TestType>({{1, std::exp(-2 * root)}}));
  check("row-sum", table<TestType>({{1 + std::exp(-2 * root)}}));
  check("weights", table<TestType>({{first, second}}));
  check("output", table<TestType>({{10 * first, 10 * second}}));
  check("plain/exp", table<TestType>({{std::exp(2 * root), 1}}));
  check("plain/row-sum", table<TestType>({{std::exp(2 * root) + 1}}));
  check("plain/weights", table<TestType>({{first, second}}));
  CHECK(first_fault(tape) == "");
}

TEST_CASE("the nine decimals that the first lesson prints", "[attention]") {
  const auto check = [](const Tape<double>& tape, const char* key, const Matrix<double>& expected) {
    INFO(key);
    CHECK_THAT(value_of(tape, key), AllClose(expected, 0, 5.0001e-10));
  };
  const Tape<double> a = attention_tape(example_a<double>(), {.softmax = SoftmaxKind::plain});
  check(a, "scaled", table<double>({{0.707106781, 1.414213562}}));
  check(a, "exp", table<double>({{2.028114982, 4.113250379}}));
  check(a, "row-sum", table<double>({{6.141365360}}));
  check(a, "weights", table<double>({{0.330238451, 0.669761549}}));
  check(a, "output", table<double>({{0.330238451, 0.669761549}}));
  const Tape<double> b = attention_tape(example_b<double>(), {.softmax = SoftmaxKind::plain});
  check(b, "scaled", table<double>({{2.828427125, 0}}));
  check(b, "exp", table<double>({{16.918828679, 1}}));
  check(b, "row-sum", table<double>({{17.918828679}}));
  check(b, "weights", table<double>({{0.944192781, 0.055807219}}));
  check(b, "output", table<double>({{9.441927808, 0.558072192}}));
}

TEMPLATE_TEST_CASE("the steps of attention are on the tape in the order of the formula", "[attention][keys]", double,
                   float) {
  const AttentionInputs<TestType> inputs = example_a<TestType>();
  const auto keys = [&](const AttentionInputs<TestType>& from, const AttentionOptions& options) {
    return keys_of(attention_tape(from, options));
  };

  SECTION("stable softmax, which is the default") {
    CHECK(keys(inputs, {}) ==
          Keys{"Q", "K", "V", "scores", "scaled", "row-max", "shifted", "exp", "row-sum", "weights", "output"});
  }
  SECTION("plain softmax") {
    CHECK(keys(inputs, {.softmax = SoftmaxKind::plain}) ==
          Keys{"Q", "K", "V", "scores", "scaled", "exp", "row-sum", "weights", "output"});
  }
  SECTION("stable, with plain beside it") {
    CHECK(keys(inputs, {.compare_softmax = true}) == Keys{"Q", "K", "V", "scores", "scaled", "row-max", "shifted",
                                                          "exp", "row-sum", "weights", "output", "plain/exp",
                                                          "plain/row-sum", "plain/weights"});
  }
  SECTION("plain, with stable beside it") {
    CHECK(keys(inputs, {.softmax = SoftmaxKind::plain, .compare_softmax = true}) ==
          Keys{"Q", "K", "V", "scores", "scaled", "exp", "row-sum", "weights", "output", "stable/row-max",
               "stable/shifted", "stable/exp", "stable/row-sum", "stable/weights"});
  }
  SECTION("everything") {
    AttentionInputs<TestType> full = inputs;
    full.mask = table<TestType>({{1, 0}});
    full.bias = table<TestType>({{1, 2}});
    CHECK(keys(full, {.temperature = 2}) == Keys{"Q", "K", "V", "bias", "mask", "scores", "scaled", "biased", "masked",
                                                 "tempered", "row-max", "shifted", "exp", "row-sum", "weights",
                                                 "output"});
  }
}

TEMPLATE_TEST_CASE("a step that does nothing is not on the tape", "[attention][keys]", double, float) {
  const AttentionInputs<TestType> inputs{filled<TestType>(2, 1, 1), filled<TestType>(3, 1, 1),
                                         filled<TestType>(3, 1, 1)};
  const auto has = [](const AttentionInputs<TestType>& from, const AttentionOptions& options, const char* key) {
    return attention_tape(from, options).find(key).has_value();
  };
  const auto with_mask = [&](const Matrix<TestType>& mask) {
    AttentionInputs<TestType> result = inputs;
    result.mask = mask;
    return result;
  };
  const auto with_bias = [&](const Matrix<TestType>& bias) {
    AttentionInputs<TestType> result = inputs;
    result.bias = bias;
    return result;
  };

  SECTION("masked: only when something is forbidden") {
    CHECK_FALSE(has(inputs, {}, "masked"));
    CHECK_FALSE(has(with_mask(filled<TestType>(2, 3, 1)), {}, "masked"));
    CHECK_FALSE(has(with_mask(filled<TestType>(2, 3, 1)), {}, "mask"));
    CHECK(has(with_mask(table<TestType>({{1, 1, 1}, {1, 1, 0}})), {}, "masked"));
    CHECK(has(with_bias(table<TestType>({{0, 0, 0}, {0, 0, -inf}})), {}, "masked"));
    CHECK(has(inputs, {.sight = {.causal = Causal::top_left}}, "masked"));
    CHECK(has(inputs, {.sight = {.causal = Causal::bottom_right}}, "masked"));
    // One last query sees all keys, and every query sees a first and only key.
    const AttentionInputs<TestType> one_query{filled<TestType>(1, 1, 1), inputs.k, inputs.v};
    CHECK_FALSE(has(one_query, {.sight = {.causal = Causal::bottom_right}}, "masked"));
    CHECK(has(one_query, {.sight = {.causal = Causal::top_left}}, "masked"));
    const AttentionInputs<TestType> one_key{inputs.q, filled<TestType>(1, 1, 1), filled<TestType>(1, 1, 1)};
    CHECK_FALSE(has(one_key, {.sight = {.causal = Causal::top_left}}, "masked"));
    CHECK(has(one_key, {.sight = {.causal = Causal::bottom_right}}, "masked"));
  }
  SECTION("biased: only when something is added") {
    CHECK_FALSE(has(inputs, {}, "biased"));
    CHECK_FALSE(has(with_bias(filled<TestType>(2, 3, 0)), {}, "biased"));
    CHECK_FALSE(has(with_bias(table<TestType>({{0, -0.0, 0}, {0, 0, -inf}})), {}, "biased"));
    CHECK(has(with_bias(table<TestType>({{0, 0, 0}, {0, 0.5, 0}})), {}, "biased"));
  }
  SECTION("tempered: only when T is not 1") {
    CHECK_FALSE(has(inputs, {.temperature = 1}, "tempered"));
    CHECK(has(inputs, {.temperature = 1.5}, "tempered"));
  }
  SECTION("softcapped: there is no cap here") {
    for (const Example& example : random_examples(1))
      CHECK_FALSE(has(converted<TestType>(example.inputs), example.options, "softcapped"));
  }
  SECTION("scores and scaled are always there, also for a factor of 1") {
    CHECK(has(inputs, {.scale = 1.0}, "scores"));
    CHECK(has(inputs, {.scale = 1.0}, "scaled"));
  }
}

TEMPLATE_TEST_CASE("random attention is what the formula says", "[attention]", double, float) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const Example& example : random_examples(seed)) {
      if (example.options.empty_row != EmptyRow::zero) continue;
      INFO(example.name);
      const Tape<TestType> tape = attention_tape(converted<TestType>(example.inputs), example.options);
      CHECK_THAT(converted<double>(value_of(tape, "weights")),
                 AllClose(formula_weights(example.inputs, example.options), 0, tolerance<TestType>));
      CHECK_THAT(converted<double>(value_of(tape, "output")),
                 AllClose(formula_output(example.inputs, example.options), 0, 2 * tolerance<TestType>));
      CHECK(first_fault(tape) == "");
      CHECK(first_false_support(tape) == "");
    }
}

TEST_CASE("the output is within 1e-12 of the formula for scores up to 100", "[attention]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const std::size_t n = random.whole(1, 64);
    const AttentionInputs<double> inputs{random.matrix<double>(2, 4, -5, 5), random.matrix<double>(n, 4, -5, 5),
                                         random.matrix<double>(n, 2, -1, 1)};
    const AttentionOptions unscaled{.scale = 1.0};  // |q·k| ≤ 4·5·5
    CHECK_THAT(output_of(inputs, unscaled), AllClose(formula_output(inputs, unscaled), 0, 1e-12));
  }
}

TEMPLATE_TEST_CASE("each row of weights sums to 1, and no weight is negative", "[attention]", double, float) {
  const double rounding = std::numeric_limits<TestType>::epsilon();
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const Example& example : random_examples(seed)) {
      if (example.options.empty_row != EmptyRow::zero) continue;
      INFO(example.name);
      const Matrix<TestType> weights = weights_of(converted<TestType>(example.inputs), example.options);
      for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double sum = 0;
        bool sees = false;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
          sum += weights(i, j);
          CHECK(weights(i, j) >= 0);
          if (may_see(example.inputs, example.options, i, j))
            sees = true;
          else
            CHECK(weights(i, j) == 0);
        }
        CHECK(is_close(sum, sees ? 1 : 0, 0, static_cast<double>(weights.shape(1)) * rounding));
      }
    }
}

TEMPLATE_TEST_CASE("temperature and scale are one knob", "[attention]", double, float) {
  Random random(5);
  const AttentionInputs<TestType> inputs{random.matrix<TestType>(3, 4), random.matrix<TestType>(5, 4),
                                         random.matrix<TestType>(5, 2)};
  // Over √4 and over T = 4 is the same as times 1/8, to the last bit.
  CHECK_THAT(weights_of(inputs, {.temperature = 4}), Same(weights_of(inputs, {.scale = 0.125})));
  CHECK_THAT(weights_of(inputs, {.scale = 1.0, .temperature = 2}), Same(weights_of(inputs)));
  CHECK_THAT(value_of(attention_tape(inputs, {.scale = 1.0}), "scaled"),
             Same(value_of(attention_tape(inputs, {}), "scores")));
  // No scale at all: every key counts alike.
  CHECK_THAT(weights_of(inputs, {.scale = 0.0}),
             AllClose(filled<TestType>(3, 5, TestType(0.2)), tolerance<TestType>, 0));
  CHECK_THAT(weights_of(inputs, {.temperature = 1e9}), AllClose(filled<TestType>(3, 5, TestType(0.2)), 1e-6, 0));
}

TEMPLATE_TEST_CASE("a low temperature chooses the largest score", "[attention]", double, float) {
  CHECK_THAT(output_of(example_a<TestType>(), {.temperature = 1e-3}), AllClose(table<TestType>({{0, 1}}), 0, 1e-12));
  CHECK_THAT(output_of(example_b<TestType>(), {.temperature = 1e-3}), AllClose(table<TestType>({{10, 0}}), 0, 1e-12));
}

TEMPLATE_TEST_CASE("the scale comes from the key width, also where values are wider", "[attention]", double, float) {
  const AttentionInputs<TestType> inputs{table<TestType>({{2, 2, 2, 2}}), table<TestType>({{1, 1, 1, 1}}),
                                         table<TestType>({{1, 2, 3, 4, 5, 6, 7, 8, 9}})};
  const Tape<TestType> tape = attention_tape(inputs, {});
  CHECK(value_of(tape, "scores")(0, 0) == 8);
  CHECK(value_of(tape, "scaled")(0, 0) == 4);
  CHECK_THAT(value_of(tape, "output"), Same(inputs.v));
}

TEMPLATE_TEST_CASE("hiding keys from all queries is like not having them", "[attention][mask]", double, float) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const std::size_t n_k = random.whole(2, 6);
    const AttentionInputs<TestType> inputs{random.matrix<TestType>(3, 2), random.matrix<TestType>(n_k, 2),
                                           random.matrix<TestType>(n_k, 2)};
    const Matrix<TestType> kept = random.mask<TestType>(1, n_k);
    std::vector<std::size_t> left;
    AttentionInputs<TestType> by_mask = inputs, by_bias = inputs;
    by_mask.mask = filled<TestType>(3, n_k, 1);
    by_bias.bias = filled<TestType>(3, n_k, 0);
    for (std::size_t key = 0; key < n_k; ++key) {
      if (kept(0, key) != 0) left.push_back(key);
      for (std::size_t query = 0; query < 3; ++query) {
        (*by_mask.mask)(query, key) = kept(0, key);
        (*by_bias.bias)(query, key) = kept(0, key) != 0 ? 0 : -infinity<TestType>;
      }
    }
    const AttentionInputs<TestType> fewer{inputs.q, rows_of(inputs.k, left), rows_of(inputs.v, left)};
    INFO("seed " << seed << ", " << left.size() << " of " << n_k << " keys");
    CHECK_THAT(output_of(by_mask), Same(output_of(fewer)));
    CHECK_THAT(output_of(by_bias), Same(output_of(fewer)));
  }
}

TEMPLATE_TEST_CASE("1 in a mask means may attend", "[attention][mask]", double, float) {
  AttentionInputs<TestType> inputs = example_a<TestType>();
  inputs.mask = table<TestType>({{1, 0}});
  const Tape<TestType> tape = attention_tape(inputs, {});
  CHECK_THAT(value_of(tape, "mask"), Same(table<TestType>({{1, 0}})));
  CHECK_THAT(value_of(tape, "masked"), AllClose(table<TestType>({{std::sqrt(0.5), -inf}}), tolerance<TestType>, 0));
  CHECK_THAT(value_of(tape, "weights"), Same(table<TestType>({{1, 0}})));
  CHECK_THAT(value_of(tape, "output"), Same(table<TestType>({{1, 0}})));
}

TEMPLATE_TEST_CASE("bias is added to the scaled scores", "[attention][bias]", double, float) {
  Random random(6);
  AttentionInputs<TestType> inputs{random.matrix<TestType>(2, 4), random.matrix<TestType>(3, 4),
                                   random.matrix<TestType>(3, 2)};
  const Matrix<TestType> clean = weights_of(inputs);

  SECTION("and before the temperature divides") {
    inputs.bias = table<TestType>({{1, 0, 0}, {0, 0, 2}});
    const Tape<TestType> tape = attention_tape(inputs, {.temperature = 2});
    const Matrix<TestType> scaled = value_of(tape, "scaled"), tempered = value_of(tape, "tempered");
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        CHECK(is_close(tempered(i, j), (scaled(i, j) + (*inputs.bias)(i, j)) / 2, tolerance<TestType>,
                       tolerance<TestType>));
  }
  SECTION("one number for a whole row changes nothing") {
    inputs.bias = table<TestType>({{3, 3, 3}, {-50, -50, -50}});
    CHECK_THAT(weights_of(inputs), AllClose(clean, 10 * tolerance<TestType>, 0));
  }
  SECTION("ln m counts a key m times") {
    inputs.bias = table<TestType>({{0, std::log(3.0), 0}, {0, std::log(3.0), 0}});
    const AttentionInputs<TestType> repeated{inputs.q, rows_of(inputs.k, {0, 1, 1, 1, 2}),
                                             rows_of(inputs.v, {0, 1, 1, 1, 2})};
    CHECK_THAT(output_of(inputs), AllClose(output_of(repeated), 0, 2 * tolerance<TestType>));
  }
  SECTION("minus infinity forbids, like 0 in a mask") {
    AttentionInputs<TestType> masked = inputs;
    inputs.bias = table<TestType>({{0, -inf, 0}, {-inf, 0, -inf}});
    masked.mask = table<TestType>({{1, 0, 1}, {0, 1, 0}});
    CHECK_THAT(weights_of(inputs), Same(weights_of(masked)));
    CHECK_THAT(value_of(attention_tape(inputs, {}), "mask"), Same(*masked.mask));
  }
  SECTION("minus infinity beside a finite bias, a mask and a position: what one of them forbids is forbidden") {
    inputs.bias = table<TestType>({{0.5, 1, -inf}, {0, -inf, 2}});
    inputs.mask = table<TestType>({{1, 1, 1}, {0, 1, 1}});
    CHECK_THAT(value_of(attention_tape(inputs, {.sight = {.causal = Causal::top_left}}), "mask"),
               Same(table<TestType>({{1, 0, 0}, {0, 0, 0}})));
    CHECK_THAT(*visible_pairs(inputs, {}), Same(table<TestType>({{1, 1, 0}, {0, 0, 1}})));
  }
}

TEMPLATE_TEST_CASE("a constant added to all keys changes no weight", "[attention]", double, float) {
  // q·(k + u) = q·k + q·u: the same number for the whole row.
  Random random(7);
  AttentionInputs<TestType> inputs{random.matrix<TestType>(3, 2), random.matrix<TestType>(4, 2),
                                   random.matrix<TestType>(4, 2)};
  const Matrix<TestType> before = weights_of(inputs);
  for (std::size_t key = 0; key < 4; ++key) {
    inputs.k(key, 0) += TestType(0.75);
    inputs.k(key, 1) -= TestType(2.5);
  }
  CHECK_THAT(weights_of(inputs), AllClose(before, 10 * tolerance<TestType>, 0));
}

TEMPLATE_TEST_CASE("causal visibility by position", "[attention][causal]", double, float) {
  const auto visible = [](std::size_t n_q, std::size_t n_k, Causal causal) {
    const AttentionInputs<TestType> inputs{filled<TestType>(n_q, 1, 1), filled<TestType>(n_k, 1, 1),
                                           filled<TestType>(n_k, 1, 1)};
    const std::optional<Matrix<TestType>> pairs = visible_pairs(inputs, {.sight = {.causal = causal}});
    return pairs ? *pairs : filled<TestType>(n_q, n_k, 1);
  };
  const Matrix<TestType> square = table<TestType>({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}});
  CHECK_THAT(visible(3, 3, Causal::top_left), Same(square));
  CHECK_THAT(visible(3, 3, Causal::bottom_right), Same(square));
  // PyTorch, scaled_dot_product_attention: is_causal is tril(ones(n_q, n_k)) with diagonal 0.
  CHECK_THAT(visible(2, 5, Causal::top_left), Same(table<TestType>({{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}})));
  CHECK_THAT(visible(5, 2, Causal::top_left), Same(table<TestType>({{1, 0}, {1, 1}, {1, 1}, {1, 1}, {1, 1}})));
  // flash-attention since version 2.1: the two examples of its README.
  CHECK_THAT(visible(2, 5, Causal::bottom_right), Same(table<TestType>({{1, 1, 1, 1, 0}, {1, 1, 1, 1, 1}})));
  CHECK_THAT(visible(5, 2, Causal::bottom_right), Same(table<TestType>({{0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 1}})));
  // The last query alone sees every key.
  CHECK_THAT(visible(1, 4, Causal::bottom_right), Same(table<TestType>({{1, 1, 1, 1}})));
}

TEMPLATE_TEST_CASE("a causal row is attention over the keys up to it", "[attention][causal]", double, float) {
  Random random(8);
  const std::size_t n_q = 3, n_k = 5;
  const AttentionInputs<TestType> inputs{random.matrix<TestType>(n_q, 2), random.matrix<TestType>(n_k, 2),
                                         random.matrix<TestType>(n_k, 3)};
  for (Causal causal : {Causal::top_left, Causal::bottom_right}) {
    const Matrix<TestType> output = output_of(inputs, {.sight = {.causal = causal}});
    for (std::size_t query = 0; query < n_q; ++query) {
      std::vector<std::size_t> seen;
      const std::size_t last = causal == Causal::top_left ? query : query + n_k - n_q;
      for (std::size_t key = 0; key <= last; ++key) seen.push_back(key);
      const AttentionInputs<TestType> alone{rows_of(inputs.q, {query}), rows_of(inputs.k, seen),
                                            rows_of(inputs.v, seen)};
      INFO("query " << query);
      CHECK_THAT(rows_of(output, {query}), Same(output_of(alone)));
    }
  }
}

TEMPLATE_TEST_CASE("the order of tokens does not matter without a causal mask", "[attention]", double, float) {
  Random random(9);
  const Matrix<TestType> x = random.matrix<TestType>(4, 3);
  const std::vector<std::size_t> shuffle = {2, 0, 3, 1};
  const AttentionInputs<TestType> inputs{random.matrix<TestType>(4, 3), x, random.matrix<TestType>(4, 2)};

  SECTION("shuffled queries: the rows shuffle along") {
    const AttentionInputs<TestType> shuffled{rows_of(inputs.q, shuffle), inputs.k, inputs.v};
    CHECK_THAT(output_of(shuffled), Same(rows_of(output_of(inputs), shuffle)));
  }
  SECTION("shuffled keys with their values: nothing changes") {
    const AttentionInputs<TestType> shuffled{inputs.q, rows_of(inputs.k, shuffle), rows_of(inputs.v, shuffle)};
    CHECK_THAT(output_of(shuffled), AllClose(output_of(inputs), 0, tolerance<TestType>));
  }
  SECTION("shuffled tokens of self-attention: the rows shuffle along, but not under a causal mask") {
    const auto output = [](const Matrix<TestType>& tokens, Causal causal) {
      return value_of(self_attention_tape(tokens, {.sight = {.causal = causal}}), "output");
    };
    CHECK_THAT(output(rows_of(x, shuffle), Causal::none),
               AllClose(rows_of(output(x, Causal::none), shuffle), 0, tolerance<TestType>));
    CHECK_THAT(output(rows_of(x, shuffle), Causal::top_left),
               !AllClose(rows_of(output(x, Causal::top_left), shuffle), 0, 1e-3));
  }
}

TEMPLATE_TEST_CASE("plain and stable softmax give the same weights", "[attention][softmax]", double, float) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (Example example : random_examples(seed)) {
      example.options.compare_softmax = true;
      const Tape<TestType> tape = attention_tape(converted<TestType>(example.inputs), example.options);
      const bool stable = example.options.softmax == SoftmaxKind::stable;
      INFO(example.name);
      CHECK_THAT(value_of(tape, stable ? "plain/weights" : "stable/weights"),
                 AllClose(value_of(tape, "weights"), 10 * tolerance<TestType>, 0));
    }
}

TEMPLATE_TEST_CASE("self-attention is attention with Q = K = V = X", "[attention]", double, float) {
  Random random(10);
  const Matrix<TestType> x = random.matrix<TestType>(4, 3);
  for (Causal causal : {Causal::none, Causal::top_left, Causal::bottom_right}) {
    const AttentionOptions options{.temperature = 1.5, .sight = {.causal = causal}, .compare_softmax = true};
    const Tape<TestType> own = self_attention_tape(x, options), general = attention_tape<TestType>({x, x, x}, options);
    CHECK(own.step(0).key == "X");
    CHECK_FALSE(own.find("Q"));
    for (const Step<TestType>& step : general.steps())
      if (step.key != "Q" && step.key != "K" && step.key != "V") {
        INFO(step.key);
        CHECK_THAT(value_of(own, step.key), Same(step.value));
      }
    CHECK(own.steps().size() + 2 == general.steps().size());
    CHECK(first_fault(own) == "");
  }
}

// The error that attention answers with.
template <class Real>
AttentionError error_of(const AttentionInputs<Real>& inputs, const AttentionOptions& options) {
  try {
    attention_tape(inputs, options);
  } catch (const AttentionError& error) {
    return error;
  }
  return {"no error", "", ""};
}

TEMPLATE_TEST_CASE("inputs that do not fit are refused with both shapes", "[attention][validation]", double, float) {
  const auto ones = [](std::size_t rows, std::size_t cols) {
    return filled<TestType>(rows, cols, 1);
  };
  const AttentionInputs<TestType> good{ones(2, 3), ones(4, 3), ones(4, 5)};
  CHECK(error_of(good, {}).code == "no error");

  const auto check = [&](const AttentionInputs<TestType>& inputs, const char* code, const char* field,
                         std::vector<std::string> shapes) {
    const AttentionError error = error_of(inputs, {});
    INFO(field << ": " << error.what());
    CHECK(error.code == code);
    CHECK(error.field == field);
    for (const std::string& shape : shapes) CHECK(std::string(error.what()).find(shape) != std::string::npos);
  };
  using Inputs = AttentionInputs<TestType>;
  const auto with = [&](auto field, const Matrix<TestType>& matrix) {
    Inputs inputs = good;
    inputs.*field = matrix;
    return inputs;
  };
  check(with(&Inputs::k, ones(4, 2)), "dimension-mismatch", "k", {"[4, 2]", "[2, 3]"});
  check(with(&Inputs::k, ones(3, 4)), "dimension-mismatch", "k", {"[3, 4]", "[2, 3]"});
  check(with(&Inputs::v, ones(3, 5)), "dimension-mismatch", "v", {"[3, 5]", "[4, 3]"});
  check({ones(2, 0), ones(4, 0), ones(4, 5)}, "empty", "q", {"[2, 0]"});
  // Neither transposed nor broadcast.
  for (const Matrix<TestType>& pairs : {ones(4, 2), ones(1, 4), ones(2, 1), ones(2, 5), ones(0, 0)}) {
    check(with(&Inputs::mask, pairs), "dimension-mismatch", "mask", {shape_text(pairs), "[2, 3]", "[4, 3]"});
    check(with(&Inputs::bias, pairs), "dimension-mismatch", "bias", {shape_text(pairs), "[2, 3]", "[4, 3]"});
  }
}

TEMPLATE_TEST_CASE("options that are no numbers to compute with are refused", "[attention][validation]", double,
                   float) {
  const AttentionInputs<TestType> good = example_a<TestType>();
  for (double temperature : {0.0, -0.0, -1.0, inf, -inf, nan}) {
    INFO("T = " << temperature);
    CHECK(error_of(good, {.temperature = temperature}).code == "temperature-not-positive");
    CHECK(error_of(good, {.temperature = temperature}).field == "temperature");
  }
  for (double scale : {inf, -inf, nan}) {
    INFO("scale " << scale);
    CHECK(error_of(good, {.scale = scale}).code == "not-finite");
    CHECK(error_of(good, {.scale = scale}).field == "scale");
  }
  for (double scale : {0.0, -2.0}) CHECK(error_of(good, {.scale = scale}).code == "no error");
  CHECK_THROWS_AS(self_attention_tape(good.q, {.temperature = 0}), AttentionError);
  CHECK_THROWS_AS(self_attention_tape(filled<TestType>(2, 0, 0), {}), AttentionError);
}

}  // namespace
}  // namespace attention
