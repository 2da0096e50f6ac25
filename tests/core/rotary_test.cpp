// Turning pairs of numbers by an angle in proportion to the position.
#include "core/rotary.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double unit = std::numeric_limits<Real>::epsilon() / 2;

template <class Real>
Tensor<Real> turned(const Tensor<Real>& x, const std::vector<double>& positions, const RotaryOptions& options = {}) {
  return rotary<Real>({x, tensor<double>({positions.size()}, positions), {}, {}}, options);
}

template <class Real>
Tensor<Real> ones(const Shape& shape) {
  Tensor<Real> result = zeros<Real>(shape);
  for (Real& cell : result) cell = 1;
  return result;
}

TEMPLATE_TEST_CASE("rotations from elsewhere", "[rotary]", double, float) {
  const double c = 0.5403023058681398, s = 0.8414709848078965;  // of 1 radian
  CHECK_THAT(flat(turned(tensor<TestType>({2, 2}, {1, 0, 1, 0}), {0, 1})),
             AllClose(row<TestType>({1, 0, c, s}), unit<TestType>, 0));
  CHECK_THAT(flat(turned(tensor<TestType>({1, 2}, {2, 3}), {1})),
             AllClose(row<TestType>({2 * c - 3 * s, 2 * s + 3 * c}), 4 * unit<TestType>, 4 * unit<TestType>));
  // Keras Hub, rotary_embedding_test.py: halves, d = 6, position 3; then d = 4 and positions 0.5 and 1, which is
  // linear scaling by 2, from Hugging Face's Llama.
  CHECK_THAT(flat(turned(ones<TestType>({1, 6}), {3})),
             AllClose(row<TestType>({-1.1311, 0.8515, 0.9935, -0.8489, 1.1291, 1.0064}), 0, 1e-4));
  CHECK_THAT(flat(turned(ones<TestType>({2, 4}), {0.5, 1})),
             AllClose(row<TestType>({0.398157001, 0.994987488, 1.3570081, 1.004987478, -0.301168621, 0.98995018,
                                     1.381773233, 1.009949803}),
                      0, 1.5e-6));
  // Gemma, gemma/gm/math/_positional_embeddings_test.py: base 100.
  CHECK_THAT(flat(turned(ones<TestType>({1, 4}), {1}, {.base = 100})),
             AllClose(row<TestType>({-0.30116868, 0.89517075, 1.3817732, 1.0948375}), 0, 1.5e-6));
  // Hugging Face, tests/models/roformer/test_modeling_roformer.py: interleaved, x = 0.64 + j/100 at position 1.
  std::vector<double> rising(64);
  for (std::size_t j = 0; j < 64; ++j) rising[j] = (64 + static_cast<double>(j)) / 100;
  const Tensor<TestType> found = turned(tensor<TestType>({1, 64}, rising), {1}, {.interleaved = true});
  CHECK_THAT(row<TestType>({found.begin(), found.begin() + 8}),
             AllClose(row<TestType>({-0.2012, 0.8897, 0.0263, 0.9401, 0.2074, 0.9463, 0.3481, 0.9343}), 0, 1e-4));
}

TEMPLATE_TEST_CASE("a rotation keeps every length", "[rotary]", double, float) {
  Random random(1);
  const Tensor<TestType> x = random.template tensor<TestType>({50, 8});
  for (bool interleaved : {false, true}) {
    const Tensor<TestType> found = rotary<TestType>({x, {}, {}, {}}, {.interleaved = interleaved});
    for (std::size_t token = 0; token < 50; ++token)
      for (std::size_t pair = 0; pair < 4; ++pair) {
        const std::size_t u = interleaved ? 2 * pair : pair, v = interleaved ? u + 1 : u + 4;
        CHECK(is_close(std::hypot(found(token, u), found(token, v)), std::hypot(x(token, u), x(token, v)),
                       8 * unit<TestType>, 0));
      }
  }
}

TEST_CASE("the product of two rotated vectors depends on their distance alone", "[rotary]") {
  Random random(2);
  const Tensor<double> q = random.template tensor<double>({1, 16}), k = random.template tensor<double>({1, 16});
  const auto product = [&](double at_q, double at_k) {
    const Tensor<double> a = turned(q, {at_q}), b = turned(k, {at_k});
    double sum = 0;
    for (std::size_t i = 0; i < 16; ++i) sum += a.data()[i] * b.data()[i];
    return sum;
  };
  for (double distance : {0.0, 1.0, 7.0, -3.0, 2.5})
    for (double start : {0.0, 1.0, 100.0, 1000.0})
      CHECK(is_close(product(start + distance, start), product(distance, 0), 0, 1e-11));
  CHECK(std::abs(product(1, 0) - product(2, 0)) > 1e-3);
}

TEST_CASE("turning twice is turning once by the sum, and back again is nothing", "[rotary]") {
  Random random(3);
  const Tensor<double> x = random.template tensor<double>({3, 10});
  const Tensor<double> twice = turned(turned(x, {1, 2, 30}), {4, -7, 0.5});
  CHECK_THAT(flat(twice), AllClose(flat(turned(x, {5, -5, 30.5})), 0, 1e-13));
  CHECK_THAT(flat(turned(turned(x, {1, 20, 300}), {-1, -20, -300})), AllClose(flat(x), 0, 1e-14));
  CHECK_THAT(flat(turned(x, {0, 0, 0})), Same(flat(x)));
}

TEMPLATE_TEST_CASE("a rotation is as exact as it says", "[rotary]", double, float) {
  Random random(4);
  for (double base : {1.0, 500.0, 10000.0, 1e6})
    for (double position : {1.0, 63.0, 4095.0, 131071.0, -0.75}) {
      const std::size_t d = 32;
      const Tensor<TestType> x = random.template tensor<TestType>({1, d});
      const Tensor<TestType> found = turned(x, {position}, {.base = base});
      for (std::size_t i = 0; i < d / 2; ++i) {
        const double u = x(0, i), v = x(0, i + d / 2), length = std::hypot(u, v);
        const double angle = position * std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(d));
        const double bound =
            (4e-15 * (1 + std::abs(position)) + (std::is_same_v<TestType, float> ? 0x1p-22 : 0)) * length;
        CHECK(is_close(found(0, i), u * std::cos(angle) - v * std::sin(angle), 0, bound));
        CHECK(is_close(found(0, i + d / 2), u * std::sin(angle) + v * std::cos(angle), 0, bound));
      }
    }
}

TEMPLATE_TEST_CASE("interleaved pairs are the halves in another order", "[rotary]", double, float) {
  Random random(5);
  const Tensor<TestType> x = random.template tensor<TestType>({4, 6});
  Tensor<TestType> reordered = x;
  for (std::size_t token = 0; token < 4; ++token)
    for (std::size_t i = 0; i < 6; ++i) reordered(token, i) = x(token, i % 2 * 3 + i / 2);
  const Tensor<TestType> halves = rotary<TestType>({x, {}, {}, {}}, {}),
                         interleaved = rotary<TestType>({reordered, {}, {}, {}}, {.interleaved = true});
  for (std::size_t token = 0; token < 4; ++token)
    for (std::size_t i = 0; i < 6; ++i) CHECK(interleaved(token, i) == halves(token, i % 2 * 3 + i / 2));
}

TEMPLATE_TEST_CASE("what is not turned stays", "[rotary]", double, float) {
  Random random(6);
  const Tensor<TestType> x = random.template tensor<TestType>({3, 7});
  Tensor<TestType> start = zeros<TestType>({3, 4});
  for (std::size_t token = 0; token < 3; ++token)
    for (std::size_t i = 0; i < 4; ++i) start(token, i) = x(token, i);
  for (bool interleaved : {false, true}) {
    const Tensor<TestType> found = rotary<TestType>({x, {}, {}, {}}, {.interleaved = interleaved, .rotary_dim = 4}),
                           whole = rotary<TestType>({start, {}, {}, {}}, {.interleaved = interleaved});
    for (std::size_t token = 0; token < 3; ++token)
      for (std::size_t i = 0; i < 7; ++i) CHECK(found(token, i) == (i < 4 ? whole(token, i) : x(token, i)));
  }
}

TEMPLATE_TEST_CASE("heads and batches are turned alike, packed or not", "[rotary]", double, float) {
  const std::size_t b = 2, h = 3, n = 4, d = 6;
  Random random(7);
  const Tensor<TestType> x = random.template tensor<TestType>({b, h, n, d});
  Tensor<TestType> packed = zeros<TestType>({b, n, h * d});
  const Tensor<double> positions = random.template tensor<double>({b, n}, 0, 50);
  const Tensor<TestType> found = rotary<TestType>({x, positions, {}, {}}, {});
  for (std::size_t batch = 0; batch < b; ++batch)
    for (std::size_t head = 0; head < h; ++head)
      for (std::size_t token = 0; token < n; ++token) {
        Tensor<TestType> alone = zeros<TestType>({1, d});
        for (std::size_t i = 0; i < d; ++i) packed(batch, token, head * d + i) = alone(0, i) = x(batch, head, token, i);
        const Tensor<TestType> expected = turned(alone, {positions(batch, token)});
        for (std::size_t i = 0; i < d; ++i) CHECK(found(batch, head, token, i) == expected(0, i));
      }
  const Tensor<TestType> repacked = rotary<TestType>({packed, positions, {}, {}}, {.heads = h});
  CHECK(shape_of(repacked) == Shape{b, n, h * d});
  for (std::size_t batch = 0; batch < b; ++batch)
    for (std::size_t head = 0; head < h; ++head)
      for (std::size_t token = 0; token < n; ++token)
        for (std::size_t i = 0; i < d; ++i) CHECK(repacked(batch, token, head * d + i) == found(batch, head, token, i));

  // Fewer axes are one batch, one head; positions count from 0.
  const Tensor<TestType> four = random.template tensor<TestType>({1, h, n, d});
  Tensor<TestType> three = four;
  three.reshape({h, n, d});
  CHECK_THAT(flat(rotary<TestType>({three, {}, {}, {}}, {})), Same(flat(turned(four, {0, 1, 2, 3}))));
  CHECK_THAT(flat(rotary<TestType>({four, {}, {}, {}}, {.heads = h})), Same(flat(turned(four, {0, 1, 2, 3}))));
  Tensor<TestType> rows = four, rows_and_batch = four;
  rows.reshape({n, h * d});
  rows_and_batch.reshape({1, n, h * d});
  CHECK_THAT(flat(rotary<TestType>({rows, {}, {}, {}}, {.heads = h})),
             Same(flat(rotary<TestType>({rows_and_batch, {}, {}, {}}, {.heads = h}))));
}

TEMPLATE_TEST_CASE("caches of cosines and sines take the place of angles", "[rotary]", double, float) {
  const std::size_t b = 2, h = 2, n = 3, d = 4;
  Random random(8);
  const Tensor<TestType> x = random.template tensor<TestType>({b, h, n, d});
  Tensor<TestType> cosine = zeros<TestType>({10, 2}), sine = cosine;
  for (std::size_t position = 0; position < 10; ++position)
    for (std::size_t i = 0; i < 2; ++i) {
      const double angle = static_cast<double>(position) * (i == 0 ? 1 : 0.01);
      cosine(position, i) = static_cast<TestType>(std::cos(angle));
      sine(position, i) = static_cast<TestType>(std::sin(angle));
    }
  const Tensor<double> positions = tensor<double>({2, 3}, {0, 9, 4, 4, 1, 0});
  const double close = 8 * unit<TestType>;
  CHECK_THAT(flat(rotary<TestType>({x, positions, cosine, sine}, {})),
             AllClose(flat(rotary<TestType>({x, positions, {}, {}}, {})), close, close));
  CHECK_THAT(flat(rotary<TestType>({x, {}, cosine, sine}, {})),
             AllClose(flat(rotary<TestType>({x, {}, {}, {}}, {})), close, close));

  // One for each token.
  Tensor<TestType> cosines = zeros<TestType>({b, n, 2}), sines = cosines;
  for (std::size_t batch = 0; batch < b; ++batch)
    for (std::size_t token = 0; token < n; ++token)
      for (std::size_t i = 0; i < 2; ++i) {
        cosines(batch, token, i) = cosine(static_cast<std::size_t>(positions(batch, token)), i);
        sines(batch, token, i) = sine(static_cast<std::size_t>(positions(batch, token)), i);
      }
  CHECK_THAT(flat(rotary<TestType>({x, {}, cosines, sines}, {})),
             Same(flat(rotary<TestType>({x, positions, cosine, sine}, {}))));
}

TEMPLATE_TEST_CASE("rotating broken numbers and nothing", "[rotary]", double, float) {
  const Tensor<TestType> found = turned(tensor<TestType>({1, 4}, {nan, 1, 1, 1}), {1});
  CHECK(std::isnan(found(0, 0)));
  CHECK(std::isnan(found(0, 2)));
  CHECK(std::isfinite(found(0, 1)));
  CHECK(std::isfinite(found(0, 3)));
  CHECK(shape_of(rotary<TestType>({zeros<TestType>({2, 0, 4}), {}, {}, {}}, {})) == Shape{2, 0, 4});
  CHECK(shape_of(rotary<TestType>({zeros<TestType>({0, 2, 3, 4}), {}, {}, {}}, {})) == Shape{0, 2, 3, 4});
}

TEST_CASE("what a rotation refuses", "[rotary]") {
  const auto numbers = [](const Shape& shape) {
    return zeros<double>(shape);
  };
  const Tensor<double> x = numbers({2, 4, 3, 8});
  using Given = std::optional<Tensor<double>>;
  const auto refuses = [&](const Tensor<double>& from, const Given& positions, const Given& cosine, const Given& sine,
                           const RotaryOptions& options, const std::string& expected,
                           const std::vector<std::string>& message = {}) {
    return refused(
        [&] {
          rotary<double>({from, positions, cosine, sine}, options);
        },
        expected, message);
  };
  for (const Shape& shape : {Shape{}, Shape{8}, Shape{1, 1, 1, 1, 8}})
    CHECK(refuses(numbers(shape), {}, {}, {}, {}, "bad-rank x", {shape_text(numbers(shape))}));
  CHECK(refuses(x, {}, {}, {}, {.heads = 2}, "dimension-mismatch heads", {"[2, 4, 3, 8]", "4", "2"}));
  CHECK(refuses(numbers({3, 8}), {}, {}, {}, {.heads = 3}, "dimension-mismatch heads", {"[3, 8]", "3 heads"}));
  CHECK(refuses(numbers({3, 8}), {}, {}, {}, {.heads = 0}, "dimension-mismatch heads"));
  for (std::size_t r : {0, 1, 3, 10})
    CHECK(refuses(x, {}, {}, {}, {.rotary_dim = r}, "bad-rotary-dim rotaryDim", {"[2, 4, 3, 8]"}));
  CHECK(refuses(numbers({3, 5}), {}, {}, {}, {}, "bad-rotary-dim rotaryDim", {"[3, 5]"}));
  CHECK(refuses(numbers({3, 0}), {}, {}, {}, {}, "bad-rotary-dim rotaryDim"));
  for (double base : {0.5, -1.0, inf, nan}) CHECK(refuses(x, {}, {}, {}, {.base = base}, "bad-base base"));

  for (const Shape& shape : {Shape{2}, Shape{3, 2}, Shape{1, 3}, Shape{3, 3}, Shape{2, 4, 3}, Shape{}})
    CHECK(refuses(x, numbers(shape), {}, {}, {}, "dimension-mismatch positions",
                  {"[2, 4, 3, 8]", shape_text(numbers(shape))}));
  for (double position : {inf, nan, -inf})
    CHECK(refuses(x, tensor<double>({3}, {0, position, 1}), {}, {}, {}, "not-finite positions"));
  CHECK(refuses(x, tensor<double>({3}, {0, 1e17, 1}), {}, {}, {}, "bad-position positions"));

  const Tensor<double> cache = numbers({50, 4}), each = numbers({2, 3, 4}), places = numbers({3});
  CHECK(refuses(x, {}, cache, {}, {}, "missing sin"));
  CHECK(refuses(x, {}, {}, cache, {}, "missing cos"));
  CHECK(refuses(x, {}, cache, numbers({49, 4}), {}, "dimension-mismatch sin", {"[50, 4]", "[49, 4]"}));
  CHECK(refuses(x, places, each, each, {}, "dimension-mismatch cos", {"[2, 3, 4]", "[2, 4, 3, 8]"}));
  CHECK(refuses(x, {}, cache, cache, {.rotary_dim = 4}, "dimension-mismatch cos", {"[50, 4]", "[2, 4, 3, 8]", "2]"}));
  for (const Shape& shape : {Shape{1, 3, 4}, Shape{2, 4, 4}, Shape{2, 3, 3}, Shape{50, 8}, Shape{4}, Shape{}})
    CHECK(refuses(x, {}, numbers(shape), numbers(shape), {}, "dimension-mismatch cos",
                  {"[2, 4, 3, 8]", shape_text(numbers(shape))}));
  CHECK(refuses(x, {}, numbers({2, 4}), numbers({2, 4}), {}, "dimension-mismatch cos", {"[2, 4]", "[2, 4, 3, 8]"}));
  for (double position : {-1.0, 50.0, 0.5})
    CHECK(refuses(x, tensor<double>({3}, {0, 49, position}), cache, cache, {}, "bad-position positions"));
}

}  // namespace
}  // namespace attention
