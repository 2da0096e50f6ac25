// Attention of floats against the core in double, from the same numbers.
#include "fast/attention.hpp"

#include <cmath>
#include <cstring>

#include "core/all_close.hpp"
#include "core/head_configuration.hpp"
#include "core/tensors.hpp"
#include "fast/configurations.hpp"

namespace attention {
namespace {

using attention::widened;

double largest_value(const HeadInputs<float>& inputs) {
  return std::max(largest_size(inputs.v), inputs.past_value ? largest_size(*inputs.past_value) : 0);
}

void check(const Configuration<float>& of) {
  const Tensor<float> found = fast::attention_of_heads(of.inputs, of.options).output;
  const Tensor<double> expected = streaming_attention(widened(of.inputs), of.options);
  REQUIRE(found.shape() == expected.shape());
  const double rounding = std::sqrt(static_cast<double>(of.inputs.q.shape(3))) * 0x1p-24;
  CHECK(difference(found, expected) <= (5e-7 + rounding * largest_score(of)) * largest_value(of.inputs));
}

TEST_CASE("any shape, mask and heads: the core's answer", "[fast]") {
  Random random(11);
  for (int round = 0; round < 400; ++round) {
    INFO("small, round " << round);
    check(configuration<float>(random, {.tokens = 12, .width = 20, .cached = 9}));
  }
  for (int round = 0; round < 12; ++round) {
    INFO("large, round " << round);
    check(configuration<float>(random, {.tokens = 300, .width = 40, .cached = 300}));
  }
}

TEST_CASE("long rows and wide ones, beside the sizes of tiles and blocks", "[fast]") {
  Random random(12);
  struct Shape {
    std::size_t n_q, n_k, d_k, d_v;
  };
  for (const Shape& shape : {Shape{33, 600, 7, 9},
                             {299, 129, 5, 3},
                             {31, 127, 512, 64},
                             {17, 255, 8, 8},
                             {5, 257, 64, 512},
                             {1, 256, 3, 1},
                             {300, 1, 1, 300}})
    for (const Causal causal : {Causal::none, Causal::bottom_right}) {
      INFO(shape.n_q << " queries, " << shape.n_k << " keys, " << shape.d_k << ", " << shape.d_v);
      Configuration<float> of = plain(random, shape.n_q, shape.n_k, shape.d_k, shape.d_v);
      of.options.sight.causal = causal;
      check(of);
    }
}

// Up to 64 keys have a way of their own, which reads keys that are 64 wide where they are.
TEST_CASE("few keys, as many as the core sees, with NaN, infinity and numbers near it among them", "[fast]") {
  Random random(24);
  enum class Rule { none, causal, window, length };
  for (const std::size_t n_k : {1, 3, 4, 31, 32, 33, 61, 64, 65})
    for (const std::size_t n_q : {1, 5, 16, 40})
      for (const std::size_t width : {8, 20, 64})
        for (const Rule rule : {Rule::none, Rule::causal, Rule::window, Rule::length})
          for (const double poison : {0.0, nan, inf, -inf, 3e38}) {
            Configuration<float> of = plain(random, n_q, n_k, width, width);
            if (rule == Rule::causal) of.options.sight.causal = Causal::bottom_right;
            if (rule == Rule::window) of.options.sight.window = Window{2, 1};
            if (rule == Rule::length) of.options.sight.length = (n_k + 1) / 2;
            if (poison != 0) {
              Tensor<float>& poisoned = random.whole(0, 2) == 0 ? of.inputs.k : of.inputs.v;
              poisoned(0, 0, random.whole(0, n_k - 1), random.whole(0, width - 1)) = static_cast<float>(poison);
            }
            INFO(n_q << " queries, " << n_k << " keys, width " << width << ", rule " << static_cast<int>(rule) << ", "
                     << poison);
            if (poison == 0 || poison > 1e38)
              check(of);
            else
              CHECK(difference(fast::attention_of_heads(of.inputs, of.options).output,
                               streaming_attention(widened(of.inputs), of.options)) <= 1e-5);
          }
}

TEST_CASE("small scores: within 5e-7 of the largest value", "[fast]") {
  Random random(13);
  for (const auto& [width, n_k] :
       {std::pair<std::size_t, std::size_t>{8, 300}, {64, 300}, {8, 64}, {64, 64}, {64, 16}}) {
    Configuration<float> of;
    of.inputs.q = random.tensor<float>({1, 1, 64, width}, -1, 1);
    of.inputs.k = random.tensor<float>({1, 1, n_k, width}, -1, 1);
    of.inputs.v = random.tensor<float>({1, 1, n_k, width}, -1, 1);
    CHECK(difference(fast::attention_of_heads(of.inputs, of.options).output,
                     streaming_attention(widened(of.inputs), of.options)) <= 5e-7);
  }
}

TEST_CASE("however long a row is: within 5e-7 of the largest value", "[fast]") {
  Random random(17);
  enum class Values { equal, random, growing };
  enum class Keys { equal, random, growing, growing_slowly, growing_late };
  const auto value = [&](Values values, double place) {
    return values == Values::equal ? 0.1 : values == Values::random ? random.number(0, 1) : 0.5 + place / 2;
  };
  const auto key = [&](Keys keys, double place) {
    if (keys == Keys::equal) return 0.3;
    if (keys == Keys::random) return random.number(-1, 1);
    return keys == Keys::growing          ? 2 * place - 1
           : keys == Keys::growing_slowly ? place / 30
                                          : 2 * std::pow(place, 3) - 1;
  };
  for (const std::size_t n_k : {1, 7, 16, 32, 64, 128, 256, 300, 4096, 20000})
    for (const Values values : {Values::equal, Values::random, Values::growing})
      for (const Keys keys : {Keys::equal, Keys::random, Keys::growing, Keys::growing_slowly, Keys::growing_late}) {
        Configuration<float> of;
        of.inputs.q = tensor<float>({1, 1, 5, 1}, {0, 1, 7, 19, 30});  // no score is larger
        of.inputs.k = zeros<float>({1, 1, n_k, 1});
        of.inputs.v = zeros<float>({1, 1, n_k, 9});
        for (std::size_t row = 0; row < n_k; ++row) {
          const double place = static_cast<double>(row) / static_cast<double>(n_k);
          of.inputs.k(0, 0, row, 0) = static_cast<float>(key(keys, place));
          for (std::size_t col = 0; col < 9; ++col)
            of.inputs.v(0, 0, row, col) = static_cast<float>(value(values, place));
        }
        INFO(n_k << " keys of kind " << static_cast<int>(keys) << ", values of kind " << static_cast<int>(values));
        CHECK(difference(fast::attention_of_heads(of.inputs, of.options).output,
                         streaming_attention(widened(of.inputs), of.options)) <= 5e-7 * largest_size(of.inputs.v));
      }
}

TEST_CASE("long rows of values of any size: within 5e-7 of the largest", "[fast]") {
  Random random(20);
  Configuration<float> of = plain(random, 20, 600, 5, 6);
  for (float& cell : of.inputs.q) cell *= 2;
  for (const int exponent : {-120, -60, 60, 80, 100, 126}) {
    Configuration<float> scaled = of;
    for (float& cell : scaled.inputs.v) cell = std::ldexp(cell / 2, exponent);
    INFO("values of 2^" << exponent);
    CHECK(difference(fast::attention_of_heads(scaled.inputs, scaled.options).output,
                     streaming_attention(widened(scaled.inputs), scaled.options)) <=
          5e-7 * largest_value(scaled.inputs));
  }
}

TEST_CASE("what a query may not see changes no bit of its output", "[fast]") {
  Random random(21);
  for (const auto& [n, cols] : {std::pair<std::size_t, std::size_t>{20, 11}, {16, 64}, {64, 64}, {600, 11}}) {
    const std::size_t hidden = n - 3;
    Configuration<float> of = plain(random, n, n, cols == 64 ? 64 : 8, cols);
    of.options.sight.causal = Causal::top_left;
    for (std::size_t row = 0; row < n; ++row) of.inputs.v(0, 0, row, 2) = of.inputs.v(0, 0, row, 9) = -0.0f;
    const Tensor<float> before = fast::attention_of_heads(of.inputs, of.options).output;
    for (const float key : {0.0f, -5.0f, 5.0f, 1e3f, 1e30f, 3e38f, static_cast<float>(inf), static_cast<float>(nan)}) {
      of.inputs.k(0, 0, hidden, 3) = key;
      of.inputs.v(0, 0, hidden, 2) = of.inputs.v(0, 0, hidden, 9) = key;
      const Tensor<float> after = fast::attention_of_heads(of.inputs, of.options).output;
      INFO(n << " tokens, key and value of " << key);
      CHECK(std::memcmp(before.data(), after.data(), hidden * cols * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("NaN in one head changes no bit of another", "[fast]") {
  Random random(25);
  for (const std::size_t n : {20, 64, 100}) {
    Configuration<float> of;
    of.inputs.q = random.tensor<float>({1, 2, n, 8});
    of.inputs.k = random.tensor<float>({1, 2, n, 8});
    of.inputs.v = random.tensor<float>({1, 2, n, 8});
    const Tensor<float> before = fast::attention_of_heads(of.inputs, of.options).output;
    of.inputs.v(0, 0, 3, 1) = static_cast<float>(nan);
    const Tensor<float> after = fast::attention_of_heads(of.inputs, of.options).output;
    INFO(n << " tokens");
    CHECK(std::isnan(after(0, 0, 0, 1)));
    CHECK(std::memcmp(&before(0, 1, 0, 0), &after(0, 1, 0, 0), n * 8 * sizeof(float)) == 0);
  }
}

TEST_CASE("rows of one value: within 5e-7 of it, in the longest that need no second block", "[fast]") {
  Random random(22);
  for (std::size_t n_k = 225; n_k <= 256; ++n_k) {
    const double value = random.number(0.5, 1);
    Configuration<float> of = plain(random, 17, n_k, 3, 8);
    of.inputs.v.fill(static_cast<float>(value));
    INFO(n_k << " keys of " << value);
    CHECK(difference(fast::attention_of_heads(of.inputs, of.options).output,
                     streaming_attention(widened(of.inputs), of.options)) <= 5e-7 * value);
  }
}

TEST_CASE("values whose sum is rounded the same way with every key: within 5e-7 of the largest", "[fast]") {
  Random random(26);
  for (std::size_t n_k = 1; n_k <= 130; ++n_k)
    for (const std::size_t at_once : {16, 32, 64}) {  // so many in one go, where all weigh the same
      Configuration<float> of = plain(random, 5, n_k, 3, 1);
      of.inputs.q.fill(0);
      float sum = 0;
      for (std::size_t key = 0; key < n_k; ++key) {
        if (key % at_once == 0) sum = 0;
        const auto gain = [&](float value) {
          return static_cast<double>(sum + value) - (static_cast<double>(sum) + value);
        };
        float worst = 1.95f;
        for (int trial = 0; trial < 100; ++trial)
          if (const auto value = static_cast<float>(random.number(1.9, 2)); gain(value) > gain(worst)) worst = value;
        of.inputs.v(0, 0, key, 0) = worst;
        sum += worst;
      }
      INFO(n_k << " keys, " << at_once << " at once");
      CHECK(difference(fast::attention_of_heads(of.inputs, of.options).output,
                       streaming_attention(widened(of.inputs), of.options)) <= 5e-7 * largest_size(of.inputs.v));
    }
}

TEST_CASE("numbers whose squares are no floats, beside a scale that makes scores of them", "[fast]") {
  constexpr std::size_t n_k = 257;
  for (const bool is_query_small : {false, true}) {
    Configuration<float> of;
    of.inputs.q = tensor<float>({1, 1, 1, 1}, {is_query_small ? 2e-23 : 1});
    of.inputs.k = zeros<float>({1, 1, n_k, 1});
    of.inputs.k(0, 0, 0, 0) = is_query_small ? 1.0f : 2e-23f;
    of.inputs.k(0, 0, 1, 0) = is_query_small ? 0.65f : 1.311e-23f;
    of.inputs.v = Random(23).tensor<float>({1, 1, n_k, 1});
    of.options.scale = 3.05e25;
    CHECK(fast::attention_of_heads(of.inputs, of.options).output(0, 0, 0, 0) == of.inputs.v(0, 0, 0, 0));
  }
}

TEST_CASE("a key that is seen alone gives its value, whatever its score", "[fast]") {
  Random random(18);
  Configuration<float> of;
  of.inputs.q = random.tensor<float>({1, 1, 40, 3});
  of.inputs.k = random.tensor<float>({1, 1, 600, 3});
  of.inputs.v = random.tensor<float>({1, 1, 600, 6});
  for (const std::size_t seen : {0, 77, 255, 256, 599}) {
    Tensor<float> mask = zeros<float>({600});
    mask(seen) = 1;
    of.inputs.mask = mask;
    const Tensor<float> output = fast::attention_of_heads(of.inputs, of.options).output;
    bool are_same = true;
    for (std::size_t row = 0; row < 40; ++row)
      for (std::size_t col = 0; col < 6; ++col)
        are_same = are_same && output(0, 0, row, col) == of.inputs.v(0, 0, seen, col);
    CHECK(are_same);
  }
}

TEST_CASE("what may not be seen does not reach the output, and what may does", "[fast]") {
  Random random(14);
  const std::size_t n = 280;  // more than a block
  for (const double poison : {nan, inf, -inf})
    for (const bool in_value : {false, true}) {
      Configuration<float> of;
      of.inputs.q = random.tensor<float>({1, 1, n, 5});
      of.inputs.k = random.tensor<float>({1, 1, n, 5});
      of.inputs.v = random.tensor<float>({1, 1, n, 6});
      Tensor<float> mask = zeros<float>({n});
      mask.fill(1);
      mask(7) = 0;
      of.inputs.mask = mask;
      of.options.sight.causal = Causal::top_left;
      Tensor<float>& poisoned = in_value ? of.inputs.v : of.inputs.k;
      poisoned(0, 0, 7, 2) = static_cast<float>(poison);    // behind the mask
      poisoned(0, 0, 270, 2) = static_cast<float>(poison);  // before the diagonal of the last queries alone
      const Tensor<float> output = fast::attention_of_heads(of.inputs, of.options).output;
      const Tensor<double> expected = streaming_attention(widened(of.inputs), of.options);
      INFO(poison << (in_value ? " as a value" : " in a key"));
      CHECK(difference(output, expected) <= 1e-5);
      CHECK(std::isfinite(output(0, 0, 269, 2)));
    }
}

TEST_CASE("numbers of an earlier call do not reach a later one", "[fast]") {
  Random random(15);
  Configuration<float> of;
  for (int round = 0; round < 4; ++round) {
    of.inputs.q = random.tensor<float>({1, 1, 9, 8});
    of.inputs.k = random.tensor<float>({1, 1, 9, 8});
    of.inputs.v = random.tensor<float>({1, 1, 9, 8});
    check(of);
    for (float& cell : of.inputs.k) cell = -cell;  // in the same place
    check(of);
  }
}

TEST_CASE("scores that a cap brings back from beyond floats are the core's in double", "[fast]") {
  struct Row {
    std::vector<double> q, k;  // [2], [3, 2]
    double scale, cap;
  };
  for (const Row& row : {Row{{3e38, 0}, {2e-38, 0, 4e-38, 0, 6e-38, 0}, 2, 20},      // q·scale is beyond them
                         Row{{3e38, 0}, {1, 0, -1, 0, 2, 0}, 10, 2},                 // and so is all of q·k·scale
                         Row{{2e38, 2e38}, {2, -2, 2, 2, -2, 1}, 1, 3},              // a part of q·k
                         Row{{2e38, 2e38}, {2e-38, -2e-38, 2, 2, -2, -2}, 4, 3}}) {  // q·scale, and a part of q·k
    Configuration<float> of;
    of.inputs.q = tensor<float>({1, 1, 1, 2}, row.q);
    of.inputs.k = tensor<float>({1, 1, 3, 2}, row.k);
    of.inputs.v = tensor<float>({1, 1, 3, 1}, {1, 2, 4});
    of.options.scale = row.scale;
    of.options.softcap = row.cap;
    const Tensor<double> expected = streaming_attention(widened(of.inputs), of.options);
    INFO("q " << row.q[0] << ", k " << row.k[0] << ", scale " << row.scale << ", cap " << row.cap);
    CHECK(std::isfinite(expected(0, 0, 0, 0)));
    CHECK(difference(fast::attention_of_heads(of.inputs, of.options).output, expected) <= 4 * 1e-6);
  }
}

TEST_CASE("rows that the core computes are as precise, and stay in range where their sums leave it", "[fast]") {
  constexpr std::size_t keys = 20'000;
  Configuration<float> of;
  of.inputs.q = tensor<float>({1, 1, 1, 1}, {0});
  of.inputs.k = zeros<float>({1, 1, keys, 1});
  of.inputs.v = zeros<float>({1, 1, keys, 2});
  of.inputs.v.fill(0.1f);
  SECTION("beside infinity") {
    of.inputs.v(0, 0, 0, 0) = inf;
    const Tensor<float> output = fast::attention_of_heads(of.inputs, of.options).output;
    CHECK(output(0, 0, 0, 0) == inf);
    CHECK(output(0, 0, 0, 1) == 0.1f);
  }
  SECTION("without keys in sight, under the policy uniform") {
    of.inputs.mask = tensor<float>({1, 1}, {0});
    of.options.empty_row = EmptyRow::uniform;
    CHECK(fast::attention_of_heads(of.inputs, of.options).output(0, 0, 0, 1) == 0.1f);
  }
  SECTION("of numbers whose sum is no float") {
    of.inputs.v.fill(3e38f);
    CHECK(fast::attention_of_heads(of.inputs, of.options).output(0, 0, 0, 0) == 3e38f);
  }
  SECTION("of few numbers whose sum is no float") {
    of.inputs.k = zeros<float>({1, 1, 3, 1});
    of.inputs.v = tensor<float>({1, 1, 3, 2}, {3e38, 0.25, 3e38, 0.25, 3e38, 0.25});
    const Tensor<float> output = fast::attention_of_heads(of.inputs, of.options).output;
    CHECK(output(0, 0, 0, 0) == 3e38f);
    CHECK(output(0, 0, 0, 1) == 0.25f);
  }
}

TEST_CASE("a row without keys is what emptyRow says", "[fast]") {
  Configuration<float> of;
  of.inputs.q = Random(1).tensor<float>({1, 1, 3, 2});
  of.inputs.k = Random(2).tensor<float>({1, 1, 4, 2});
  of.inputs.v = Random(3).tensor<float>({1, 1, 4, 2});
  Tensor<float> mask = zeros<float>({3, 4});
  mask(0, 1) = mask(2, 3) = 1;
  of.inputs.mask = mask;
  for (const EmptyRow policy : {EmptyRow::zero, EmptyRow::nan, EmptyRow::uniform}) {
    of.options.empty_row = policy;
    const Tensor<float> output = fast::attention_of_heads(of.inputs, of.options).output;
    CHECK(output(0, 0, 0, 1) == of.inputs.v(0, 0, 1, 1));
    CHECK(difference(output, streaming_attention(widened(of.inputs), of.options)) <= 1e-6);
  }
}

TEST_CASE("heads side by side are those one after the other, NaN and infinity of one of them included", "[fast]") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  Random random(19);
  for (int round = 0; round < 200; ++round) {
    // Rows of keys that are 64 wide, in one head or several, are read where they are.
    const bool is_wide = round % 3 == 0;
    const std::size_t batches = random.whole(1, 2), kv_heads = is_wide ? 1 << random.whole(0, 3) : random.whole(1, 3);
    const std::size_t group = random.whole(1, 3), heads = kv_heads * group, n_q = random.whole(1, 70);
    const std::size_t d_k = is_wide ? 64 / kv_heads : random.whole(1, 20), d_v = random.whole(1, 20);
    const bool is_causal = random.whole(0, 1) == 1;
    const std::size_t n_k = is_causal ? n_q : random.whole(1, round % 10 == 0 ? 600 : 150);
    Tensor<float> q = random.tensor<float>({batches, n_q, heads * d_k});
    Tensor<float> k = random.tensor<float>({batches, n_k, kv_heads * d_k});
    Tensor<float> v = random.tensor<float>({batches, n_k, kv_heads * d_v});
    if (round % 2 == 1) {
      k.data()[random.whole(0, k.size() - 1)] = nan;
      v.data()[random.whole(0, v.size() - 1)] = infinity;
    }
    AttentionOptions options;
    if (is_causal) options.sight.causal = Causal::top_left;

    // Each in a place of just its size, which a sanitizer watches.
    std::vector<float> output(batches * n_q * heads * d_v, -1);
    fast::attend_heads({batches, heads, kv_heads, n_q, n_k, d_k, d_v, true}, options,
                       std::vector<float>(q.begin(), q.end()).data(), std::vector<float>(k.begin(), k.end()).data(),
                       std::vector<float>(v.begin(), v.end()).data(), output.data());

    HeadInputs<float> inputs;
    inputs.q = split_heads(q, heads, "q");
    inputs.k = split_heads(k, kv_heads, "k");
    inputs.v = split_heads(v, kv_heads, "v");
    const Tensor<float> expected = merge_heads(fast::attention_of_heads(inputs, options).output);
    INFO("round " << round << ", " << n_q << " queries, " << n_k << " keys, " << heads << " heads");
    Matrix<float> found = filled<float>(1, output.size(), 0);
    std::copy(output.begin(), output.end(), found.begin());
    CHECK_THAT(found, Same(flat(expected)));
  }
}

}  // namespace
}  // namespace attention
