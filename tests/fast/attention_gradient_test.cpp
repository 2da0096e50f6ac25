// Gradients of attention of floats against the core in double, from the same numbers.
#include "fast/attention_gradient.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/head_configuration.hpp"
#include "core/tensors.hpp"
#include "fast/configurations.hpp"

namespace attention {
namespace {

using attention::widened;

Tensor<float> output_shaped(Random& random, const HeadInputs<float>& inputs) {
  return random.tensor<float>({inputs.q.shape(0), inputs.q.shape(1), inputs.q.shape(2), inputs.v.shape(3)}, -1, 1);
}

struct Compared {
  HeadGradients<float> found;
  HeadGradients<double> wanted;
};

Compared compared(const Configuration<float>& of, const Tensor<float>& given) {
  return {fast::attention_gradient_of_heads(of.inputs, given, of.options),
          attention_gradient_of_heads(widened(of.inputs), widened(given), of.options)};
}

double largest_size(const Tensor<double>& tensor) {
  double largest = 0;
  for (const double cell : tensor) largest = std::max(largest, std::abs(cell));
  return largest;
}

// As the header promises, for finite numbers.
void check(const Configuration<float>& of, const Tensor<float>& given) {
  const HeadInputs<float>& inputs = of.inputs;
  const auto [found, wanted] = compared(of, given);
  const double queries = static_cast<double>(inputs.q.shape(2) * inputs.q.shape(1) / inputs.k.shape(1));
  const double share = 2e-6 + 0x1p-23 * largest_score(of) + 0x1p-29 * queries;
  const double factor = std::abs(of.options.scale.value_or(1 / std::sqrt(inputs.q.shape(3)))) / of.options.temperature;
  const double cancelled = factor * longest_row(given) * longest_row(inputs.v, inputs.past_value) * 1e-7;
  const auto close = [&](const Tensor<float>& actual, const Tensor<double>& expected, double beside) {
    REQUIRE(shape_of(actual) == shape_of(expected));
    return difference(actual, expected) <= share * largest_size(expected) + beside;
  };
  CHECK(close(found.q, wanted.q, cancelled * longest_row(inputs.k, inputs.past_key)));
  CHECK(close(found.k, wanted.k, cancelled * queries * longest_row(inputs.q)));
  CHECK(close(found.v, wanted.v, 0));
}

Configuration<float> drawn(Random& random, const Sizes& sizes) {
  Configuration<float> of = configuration<float>(random, sizes);
  of.options.empty_row = EmptyRow::zero;
  return of;
}

TEST_CASE("gradients of any shape, mask and heads: the core's", "[fast]") {
  Random random(71);
  for (int round = 0; round < 300; ++round) {
    INFO("small, round " << round);
    const Configuration<float> of = drawn(random, {.tokens = 12, .width = 20, .cached = 9});
    check(of, output_shaped(random, of.inputs));
  }
  for (int round = 0; round < 10; ++round) {
    INFO("large, round " << round);
    const Configuration<float> of = drawn(random, {.tokens = 300, .width = 40, .cached = 300});
    check(of, output_shaped(random, of.inputs));
  }
}

TEST_CASE("gradients of long rows and wide ones, beside the sizes of tiles and blocks", "[fast]") {
  Random random(72);
  struct Shape {
    std::size_t n_q, n_k, d_k, d_v;
  };
  for (const Shape& shape : {Shape{33, 600, 7, 9},
                             {299, 129, 5, 3},
                             {31, 127, 200, 64},
                             {17, 255, 8, 8},
                             {65, 257, 64, 200},
                             {1, 256, 3, 1},
                             {300, 1, 1, 100}})
    for (const Causal causal : {Causal::none, Causal::bottom_right})
      for (const bool is_capped : {false, true}) {
        INFO(shape.n_q << " queries, " << shape.n_k << " keys, " << shape.d_k << ", " << shape.d_v);
        Configuration<float> of = plain(random, shape.n_q, shape.n_k, shape.d_k, shape.d_v);
        of.options.sight.causal = causal;
        if (is_capped) of.options.softcap = 2;
        check(of, output_shaped(random, of.inputs));
      }
}

TEST_CASE("gradients of odd shapes up to 300, with masks, biases, windows and shared heads", "[fast]") {
  Random random(79);
  const auto odd = [&](std::size_t most) {
    return 2 * random.whole(0, (most - 1) / 2) + 1;
  };
  for (int round = 0; round < 24; ++round) {
    const std::size_t n_q = odd(300), n_k = odd(300), d_k = odd(200), d_v = odd(200);
    INFO("round " << round << ": " << n_q << " queries, " << n_k << " keys, " << d_k << ", " << d_v);
    Configuration<float> of;
    of.inputs.q = random.tensor<float>({1, 2, n_q, d_k}, -1, 1);
    of.inputs.k = random.tensor<float>({1, 1, n_k, d_k});
    of.inputs.v = random.tensor<float>({1, 1, n_k, d_v});
    if (round % 2 == 0) of.inputs.mask = random.mask_tensor<float>({n_q, n_k});
    if (round % 3 == 0) of.inputs.bias = random.tensor<float>({2, n_q, n_k});
    if (round % 4 == 0) of.options.sight.window = Window{random.whole(0, 150), random.whole(0, 150)};
    if (round % 5 == 0) of.options.softcap = 5;
    check(of, output_shaped(random, of.inputs));
  }
}

TEST_CASE("output gradients that nearly cancel leave what is promised in the values", "[fast]") {
  Random random(83);
  for (const std::size_t pairs : {1, 3, 40, 700}) {
    INFO(pairs << " pairs");
    Configuration<float> of = plain(random, 2 * pairs, 5, 3, 4);
    Tensor<float> given = output_shaped(random, of.inputs);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      std::copy_n(of.inputs.q.data() + 6 * pair, 3, of.inputs.q.data() + 6 * pair + 3);
      for (std::size_t col = 0; col < 4; ++col)
        given.data()[8 * pair + 4 + col] = -given.data()[8 * pair + col] * (1 - 0x1p-20f);
    }
    double sizes = 0;
    for (const float each : given) sizes += std::abs(each) / 4;
    const auto [found, wanted] = compared(of, given);
    CHECK(difference(found.v, wanted.v) <= (2e-7 + 0x1p-29 * 2 * static_cast<double>(pairs)) * sizes);
  }
}

TEST_CASE("sums over many queries stay precise", "[fast]") {
  Configuration<float> of;
  of.inputs.q = zeros<float>({1, 1, 5000, 1});
  of.inputs.k = zeros<float>({1, 1, 3, 1});
  of.inputs.v = tensor<float>({1, 1, 3, 1}, {1, 2, 4});
  of.inputs.q.fill(0.3f);
  Tensor<float> given = zeros<float>({1, 1, 5000, 1});
  given.fill(0.1f);
  check(of, given);
}

TEST_CASE("a cap that is reached leaves the small gradients that it leaves", "[fast]") {
  Random random(73);
  Configuration<float> of = plain(random, 5, 9, 4, 3);
  of.options.softcap = 1;
  of.options.scale = 12;
  of.inputs.q = random.tensor<float>({1, 1, 5, 4}, 0.4, 0.5);
  of.inputs.k = random.tensor<float>({1, 1, 9, 4}, 0.4, 0.5);
  const Tensor<float> given = output_shaped(random, of.inputs);
  const auto [found, wanted] = compared(of, given);
  CHECK(largest_size(wanted.q) < 1e-3);
  CHECK(difference(found.q, wanted.q) <= 1e-5 * largest_size(wanted.q));
  CHECK(difference(found.k, wanted.k) <= 1e-5 * largest_size(wanted.k));
}

TEST_CASE("what may not be seen does not reach a gradient, and what may does", "[fast]") {
  Random random(74);
  const std::size_t n = 280;  // more than a block
  for (const double poison : {nan, inf, -inf})
    for (const int place : {0, 1, 2, 3}) {
      Configuration<float> of = plain(random, n, n, 5, 6);
      Tensor<float> mask = zeros<float>({n, n});
      mask.fill(1);
      for (std::size_t query = 0; query < n; ++query) mask(query, 7) = 0;
      for (std::size_t key = 0; key < n; ++key) mask(9, key) = 0;
      of.inputs.mask = mask;
      of.options.sight.causal = Causal::top_left;
      Tensor<float> given = output_shaped(random, of.inputs);
      const HeadGradients<double> clean = attention_gradient_of_heads(widened(of.inputs), widened(given), of.options);
      Tensor<float>* const poisoned[] = {&of.inputs.k, &of.inputs.v, &of.inputs.q, &given};
      const std::size_t row = place < 2 ? 7 : 9;
      (*poisoned[place])(0, 0, row, 2) = static_cast<float>(poison);  // seen by nobody, or sees nothing
      INFO(poison << " in place " << place);
      const auto hidden = compared(of, given);
      CHECK(difference(hidden.found.q, clean.q) <= 1e-5);
      CHECK(difference(hidden.found.k, clean.k) <= 1e-5);
      CHECK(difference(hidden.found.v, clean.v) <= 1e-5);

      (*poisoned[place])(0, 0, 270, 2) =
          static_cast<float>(poison);  // seen by the last queries, or sees the first keys
      const auto seen = compared(of, given);
      CHECK(difference(seen.found.q, seen.wanted.q) <= 1e-5);
      CHECK(difference(seen.found.k, seen.wanted.k) <= 1e-5);
      CHECK(difference(seen.found.v, seen.wanted.v) <= 1e-5);
      CHECK(std::isfinite(seen.found.q(0, 0, 269, 2)));
      if (place < 2) CHECK(std::isnan(seen.found.q(0, 0, 270, 2)));
      if (place == 3) CHECK_FALSE(std::isfinite(seen.found.v(0, 0, 5, 2)));
    }
}

TEST_CASE("rows without keys have gradients of 0, and give none", "[fast]") {
  Random random(75);
  Configuration<float> of = plain(random, 3, 4, 2, 2);
  Tensor<float> mask = zeros<float>({3, 4});
  mask(0, 1) = mask(0, 2) = mask(2, 3) = 1;
  of.inputs.mask = mask;
  const Tensor<float> given = output_shaped(random, of.inputs);
  const HeadGradients<float> found = fast::attention_gradient_of_heads(of.inputs, given, of.options);
  check(of, given);
  for (std::size_t col = 0; col < 2; ++col) {
    CHECK(found.q(0, 0, 1, col) == 0);
    CHECK(found.k(0, 0, 0, col) == 0);
    CHECK(found.v(0, 0, 0, col) == 0);
    CHECK(found.v(0, 0, 3, col) == given(0, 0, 2, col));  // seen alone
  }
}

TEST_CASE("gradients that leave the range of floats on their way are the core's", "[fast]") {
  Random random(76);
  Configuration<float> of = plain(random, 40, 300, 3, 3);
  of.options.scale = 1e-30;
  for (float& cell : of.inputs.k) cell *= 1e30f;
  for (float& cell : of.inputs.v) cell *= 1e20f;
  const auto [found, wanted] = compared(of, output_shaped(random, of.inputs));
  CHECK(difference(found.q, wanted.q) <= 1e-6 * largest_size(wanted.q));
  CHECK(difference(found.k, wanted.k) <= 1e-6 * largest_size(wanted.k));
  CHECK(difference(found.v, wanted.v) <= 1e-6 * largest_size(wanted.v));
}

TEST_CASE("gradients of an earlier call do not reach a later one", "[fast]") {
  Random random(77);
  Configuration<float> of = plain(random, 9, 9, 8, 8);
  for (int round = 0; round < 4; ++round) {
    const Tensor<float> given = output_shaped(random, of.inputs);
    check(of, given);
    for (float& cell : of.inputs.k) cell = -cell;  // in the same place
    check(of, given);
  }
}

TEST_CASE("gradients of a single head are added, but for those of queries", "[fast]") {
  Random random(78);
  const Configuration<float> of = plain(random, 35, 20, 5, 6);
  const Tensor<float> given = output_shaped(random, of.inputs);
  const HeadGradients<float> once = fast::attention_gradient_of_heads(of.inputs, given, of.options);
  HeadGradients<float> twice = once;
  Head<float> head{35,
                   20,
                   5,
                   6,
                   {of.inputs.q.data(), 5},
                   {of.inputs.k.data(), 5},
                   {of.inputs.v.data(), 6},
                   {std::nullopt, 0, 0},
                   {std::nullopt, 0, 0},
                   nullptr,
                   of.options};
  fast::add_gradient(head, given.data(), {twice.q.data(), twice.k.data(), twice.v.data()});
  CHECK_THAT(flat(twice.q), Same(flat(once.q)));
  for (std::size_t cell = 0; cell < once.v.size(); ++cell) CHECK(twice.v.data()[cell] == 2 * once.v.data()[cell]);
  for (std::size_t cell = 0; cell < once.k.size(); ++cell) CHECK(twice.k.data()[cell] == 2 * once.k.data()[cell]);
}

}  // namespace
}  // namespace attention
