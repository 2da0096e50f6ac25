// Attention over batches and heads: against the definition written down a second time, in long double, with every
// index.
#include "core/heads.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/catch.hpp"
#include "core/head_configuration.hpp"

namespace attention {
namespace {

// A cell of something broadcast from the right to four axes; `beyond` where it has fewer keys.
template <class Real>
double broadcast_cell(const Tensor<Real>& tensor, std::array<std::size_t, 4> at, double beyond) {
  std::size_t place = 0;
  const std::size_t axes = tensor.dimension();
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t length = tensor.shape(axis), index = length == 1 ? 0 : at[axis + 4 - axes];
    if (index >= length) return beyond;
    place = place * length + index;
  }
  return tensor.data()[place];
}

// The definition, one output cell at a time.
template <class Real>
Tensor<double> by_definition(const Configuration<Real>& of) {
  const HeadInputs<Real>& in = of.inputs;
  const AttentionOptions& options = of.options;
  const std::size_t b = in.q.shape(0), h = in.q.shape(1), n_q = in.q.shape(2), d_k = in.q.shape(3);
  const std::size_t g = in.k.shape(1), d_v = in.v.shape(3), n_c = in.past_key ? in.past_key->shape(2) : 0;
  const std::size_t n_k = n_c + in.k.shape(2);
  Tensor<double> output = zeros<double>({b, h, n_q, d_v});
  for (std::size_t batch = 0; batch < b; ++batch)
    for (std::size_t head = 0; head < h; ++head)
      for (std::size_t i = 0; i < n_q; ++i) {
        const std::size_t shared = head * g / h;
        const auto row = [&](const std::optional<Tensor<Real>>& past, const Tensor<Real>& now, std::size_t j,
                             std::size_t col) -> long double {
          return j < n_c ? (*past)(batch, shared, j, col) : now(batch, shared, j - n_c, col);
        };
        const long length = in.lengths.empty() ? static_cast<long>(n_k) : static_cast<long>(in.lengths[batch]);
        const long queries = static_cast<long>(n_q);
        const long at_top = in.lengths.empty() ? static_cast<long>(n_c) : length - queries;
        const long offset = options.sight.causal == Causal::top_left ? at_top : length - queries;
        std::vector<long double> parts(n_k, 0);
        long double total = 0;
        bool sees_any = false;
        for (std::size_t j = 0; j < n_k; ++j) {
          const std::array<std::size_t, 4> at{batch, head, i, j};
          const long distance = static_cast<long>(j) - static_cast<long>(i) - offset;
          if (static_cast<long>(j) >= length) continue;
          if (options.sight.causal != Causal::none && distance > 0) continue;
          if (const auto& window = options.sight.window) {
            if (window->left && -distance > static_cast<long>(*window->left)) continue;
            if (window->right && distance > static_cast<long>(*window->right)) continue;
          }
          if (in.mask && broadcast_cell(*in.mask, at, 0) == 0) continue;
          const double bias = in.bias ? broadcast_cell(*in.bias, at, -inf) : 0;
          if (bias == -inf) continue;
          if (in.padding && (*in.padding)(in.padding->shape(0) == 1 ? 0 : batch, j) == 0) continue;
          sees_any = true;
          long double score = 0;
          for (std::size_t r = 0; r < d_k; ++r) score += in.q(batch, head, i, r) * row(in.past_key, in.k, j, r);
          score *= options.scale ? *options.scale : 1 / std::sqrt(static_cast<long double>(d_k));
          if (options.softcap) score = *options.softcap * std::tanh(score / *options.softcap);
          parts[j] = std::exp((score + bias) / options.temperature);
          total += parts[j];
        }
        if (!sees_any) {
          const double share = options.empty_row == EmptyRow::zero  ? 0
                               : options.empty_row == EmptyRow::nan ? nan
                                                                    : 1 / static_cast<double>(n_k);
          parts.assign(n_k, share);
          total = 1;
        }
        for (std::size_t col = 0; col < d_v; ++col) {
          long double sum = 0;
          for (std::size_t j = 0; j < n_k; ++j) sum += parts[j] / total * row(in.past_value, in.v, j, col);
          output(batch, head, i, col) = static_cast<double>(sum);
        }
      }
  return output;
}

// Equal to the last bit.
template <class Real>
bool same(const Tensor<Real>& a, const Tensor<Real>& b) {
  return a.shape() == b.shape() && std::equal(a.begin(), a.end(), b.begin());
}

template <class Real>
std::string first_difference(const Tensor<Real>& actual, const Tensor<double>& expected, double tolerance) {
  if (!std::equal(actual.shape().begin(), actual.shape().end(), expected.shape().begin(), expected.shape().end()))
    return "another shape";
  for (std::size_t cell = 0; cell < actual.size(); ++cell)
    if (!is_close(actual.data()[cell], expected.data()[cell], tolerance, tolerance))
      return "cell " + std::to_string(cell) + ": " + std::to_string(actual.data()[cell]) + " instead of " +
             std::to_string(expected.data()[cell]);
  return "";
}

}  // namespace

TEMPLATE_TEST_CASE("every combination of inputs and options is the definition", "[heads]", double, float) {
  const double tolerance = std::is_same_v<TestType, double> ? 1e-12 : 1e-5;
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    const Configuration<TestType> of = configuration<TestType>(random, {});
    const Tensor<double> expected = by_definition(of);
    INFO("round " << round);
    CHECK(first_difference(attention_of_heads(of.inputs, of.options, Keep::nothing).output, expected, tolerance) == "");
    CHECK(first_difference(streaming_attention(of.inputs, of.options), expected, tolerance) == "");
  }
}

TEMPLATE_TEST_CASE("what may not be seen does not reach the output, in either form", "[heads]", double, float) {
  Random random(8);
  HeadInputs<TestType> inputs{random.template tensor<TestType>({1, 2, 3, 2}),
                              random.template tensor<TestType>({1, 1, 4, 2}),
                              random.template tensor<TestType>({1, 1, 4, 2}),
                              {},
                              {},
                              {},
                              {},
                              {},
                              {}};
  Tensor<TestType> mask = zeros<TestType>({4});
  mask(0) = mask(2) = mask(3) = 1;
  inputs.mask = mask;
  const AttentionOptions options{.sight = {.causal = Causal::bottom_right}};
  const Tensor<TestType> clean = attention_of_heads(inputs, options, Keep::nothing).output;
  const Tensor<TestType> streamed = streaming_attention(inputs, options);
  for (double poison : {nan, inf, -inf})
    for (std::size_t col : {0, 1}) {
      HeadInputs<TestType> poisoned = inputs;
      poisoned.k(0, 0, 1, col) = static_cast<TestType>(poison);  // behind the mask
      poisoned.v(0, 0, 1, col) = static_cast<TestType>(poison);
      CHECK(same(attention_of_heads(poisoned, options, Keep::nothing).output, clean));
      CHECK(same(streaming_attention(poisoned, options), streamed));
      poisoned.v(0, 0, 3, col) =
          static_cast<TestType>(poison);  // the last key: before the causal diagonal for query 2 alone
      const Tensor<TestType> output = attention_of_heads(poisoned, options, Keep::nothing).output;
      for (std::size_t head : {0, 1})
        for (std::size_t query = 0; query < 3; ++query) {
          const bool sees = query == 2;
          CHECK(std::isfinite(output(0, head, query, col)) == !sees);
        }
    }
}

TEST_CASE("kept steps are those of the tape, and the cache comes back whole", "[heads]") {
  Random random(9);
  HeadInputs<double> inputs{random.template tensor<double>({1, 2, 2, 3}),
                            random.template tensor<double>({1, 2, 3, 3}),
                            random.template tensor<double>({1, 2, 3, 1}),
                            {},
                            {},
                            {},
                            {},
                            {},
                            {}};
  inputs.past_key = random.template tensor<double>({1, 2, 1, 3});
  inputs.past_value = random.template tensor<double>({1, 2, 1, 1});
  const AttentionOptions options{.softcap = 1.5, .temperature = 2, .sight = {.causal = Causal::top_left}};
  const HeadResult<double> weights = attention_of_heads(inputs, options, Keep::weights);
  const HeadResult<double> masked = attention_of_heads(inputs, options, Keep::masked);
  const HeadResult<double> capped = attention_of_heads(inputs, options, Keep::softcapped);
  const HeadResult<double> scaled = attention_of_heads(inputs, options, Keep::scaled);
  for (std::size_t head : {0, 1})
    for (std::size_t query : {0, 1}) {
      double sum = 0;
      for (std::size_t key = 0; key < 4; ++key) {
        double dot = 0;
        for (std::size_t col = 0; col < 3; ++col)
          dot += inputs.q(0, head, query, col) *
                 (key == 0 ? (*inputs.past_key)(0, head, 0, col) : inputs.k(0, head, key - 1, col));
        const bool seen = key <= query + 1;
        const double z = dot / std::sqrt(3.0), y = 1.5 * std::tanh(z / 1.5);
        CHECK(is_close((*scaled.kept)(0, head, query, key), z, 1e-14, 1e-14));
        CHECK(is_close((*capped.kept)(0, head, query, key), y, 1e-14, 1e-14));
        CHECK(is_close((*masked.kept)(0, head, query, key), seen ? y : -inf, 1e-14, 1e-14));
        if (!seen) CHECK((*weights.kept)(0, head, query, key) == 0);
        sum += (*weights.kept)(0, head, query, key);
      }
      CHECK(is_close(sum, 1, 1e-15, 0));
    }
  CHECK((*weights.present_key)(0, 1, 0, 2) == (*inputs.past_key)(0, 1, 0, 2));
  CHECK((*weights.present_key)(0, 1, 3, 2) == inputs.k(0, 1, 2, 2));
  CHECK((*weights.present_value)(0, 0, 1, 0) == inputs.v(0, 0, 0, 0));
}

TEST_CASE("heads are cut out of columns, not out of rows", "[heads]") {
  // Two tokens of two heads of two: reading the memory as [heads, tokens, columns] would mix the tokens.
  Tensor<double> packed = zeros<double>({1, 2, 4});
  for (std::size_t cell = 0; cell < 8; ++cell) packed.data()[cell] = static_cast<double>(cell + 1);
  const Tensor<double> heads = split_heads(packed, 2, "q");
  const double expected[] = {1, 2, 5, 6, 3, 4, 7, 8};
  CHECK(std::equal(heads.begin(), heads.end(), expected));
  CHECK(same(merge_heads(heads), packed));
  CHECK_THROWS_AS(split_heads(packed, 3, "q"), AttentionError);
}

TEST_CASE("heads of keys and values are repeated side by side: 0, 0, 1, 1", "[heads]") {
  HeadInputs<double> inputs{
      zeros<double>({1, 4, 1, 1}), zeros<double>({1, 2, 1, 1}), zeros<double>({1, 2, 1, 1}), {}, {}, {}, {}, {}, {}};
  inputs.v(0, 0, 0, 0) = 10;
  inputs.v(0, 1, 0, 0) = 20;
  const Tensor<double> output = attention_of_heads(inputs, {}, Keep::nothing).output;
  const double expected[] = {10, 10, 20, 20};
  CHECK(std::equal(output.begin(), output.end(), expected));
}

TEST_CASE("what does not fit together is refused by its field", "[heads]") {
  const HeadInputs<double> good{
      zeros<double>({2, 4, 3, 2}), zeros<double>({2, 2, 5, 2}), zeros<double>({2, 2, 5, 3}), {}, {}, {}, {}, {}, {}};
  const auto field_at_fault = [&](auto change) -> std::string {
    HeadInputs<double> inputs = good;
    change(inputs);
    try {
      validate(inputs, {});
    } catch (const AttentionError& error) {
      return error.field;
    }
    return "";
  };
  using In = HeadInputs<double>;
  CHECK(field_at_fault([](In&) {}) == "");
  CHECK(field_at_fault([](In& in) {
          in.q = zeros<double>({2, 4, 3});
        }) == "q");
  CHECK(field_at_fault([](In& in) {
          in.q = zeros<double>({2, 3, 3, 2});
        }) == "k");
  CHECK(field_at_fault([](In& in) {
          in.k = zeros<double>({1, 2, 5, 2});
        }) == "k");
  CHECK(field_at_fault([](In& in) {
          in.v = zeros<double>({2, 2, 4, 3});
        }) == "v");
  CHECK(field_at_fault([](In& in) {
          in.past_key = zeros<double>({2, 2, 1, 2});
        }) == "pastValue");
  CHECK(field_at_fault([](In& in) {
          in.mask = zeros<double>({3, 6});
        }) == "mask");
  CHECK(field_at_fault([](In& in) {
          in.mask = zeros<double>({3, 4});
        }) == "");
  CHECK(field_at_fault([](In& in) {
          in.bias = zeros<double>({3, 1, 5});
        }) == "bias");
  CHECK(field_at_fault([](In& in) {
          in.padding = zeros<double>({2, 4});
        }) == "padding");
  CHECK(field_at_fault([](In& in) {
          in.lengths = {1};
        }) == "kvLengths");
  CHECK(field_at_fault([](In& in) {
          in.lengths = {1, 6};
        }) == "kvLengths");
}

}  // namespace attention
