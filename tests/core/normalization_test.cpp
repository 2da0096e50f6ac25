// (x − mean)/√(variance + ε) and x/√(mean of x² + ε), against closed forms, other suites and the definition.
#include "core/normalization.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double unit = std::numeric_limits<Real>::epsilon() / 2;

template <class Real>
Matrix<Real> layer(const std::vector<double>& x, double epsilon = 1e-5) {
  return flat(layer_norm<Real>({tensor<Real>({x.size()}, x), {}, {}}, 0, epsilon).output);
}

template <class Real>
Matrix<Real> root_mean_square(const std::vector<double>& x, double epsilon = 1e-5) {
  return flat(rms_norm<Real>(tensor<Real>({x.size()}, x), {}, 0, epsilon));
}

TEMPLATE_TEST_CASE("normalised values from elsewhere", "[normalization]", double, float) {
  // Closed forms: 0 … 4 has mean 2 and variance 2; (3, 4) has a mean square of 25/2.
  const double root = 1.4142135623730951;
  CHECK_THAT(layer<TestType>({0, 1, 2, 3, 4}, 0),
             AllClose(row<TestType>({-root, -root / 2, 0, root / 2, root}), 4 * unit<TestType>, 0));
  CHECK_THAT(root_mean_square<TestType>({3, 4}, 0),
             AllClose(row<TestType>({0.6 * root, 0.8 * root}), 4 * unit<TestType>, 0));
  // ε stands inside the root: 1/√(1 + 3), 2/√(4 + 12).
  CHECK_THAT(layer<TestType>({1, -1}, 3), Same(row<TestType>({0.5, -0.5})));
  CHECK_THAT(root_mean_square<TestType>({2, 2}, 12), Same(row<TestType>({0.5, 0.5})));
  // PyTorch's LayerNorm, from codertimo/BERT-pytorch issue 30: dividing by n − 1 would give 1.5.
  CHECK_THAT(layer<TestType>({1, 0, 0, 0}), AllClose(row<TestType>({1.732, -0.5773, -0.5773, -0.5773}), 0, 1e-4));
  // Keras, keras/src/layers/normalization/rms_normalization_test.py.
  CHECK_THAT(root_mean_square<TestType>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1e-6),
             AllClose(row<TestType>({0, 0.18731716, 0.37463433, 0.5619515, 0.74926865, 0.9365858, 1.123903, 1.3112202,
                                     1.4985373, 1.6858544}),
                      0, 1.5e-6));
}

TEMPLATE_TEST_CASE("layer normalisation gives mean 0 and variance 1, and says what it took off", "[normalization]",
                   double, float) {
  Random random(1);
  const Tensor<TestType> x = random.template tensor<TestType>({30, 12}, -5, 9);
  const LayerNorm<TestType> found = layer_norm<TestType>({x, {}, {}}, 1, 0);
  for (std::size_t r = 0; r < 30; ++r) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < 12; ++i) {
      const double y = found.output(r, i);
      mean += y / 12;
      square += y * y / 12;
      const double back = y / found.inverse_deviation(r, 0) + found.mean(r, 0);
      CHECK(is_close(back, x(r, i), 0, 200 * unit<TestType>));
    }
    CHECK(std::abs(mean) <= 20 * unit<TestType>);
    CHECK(std::abs(square - 1) <= 40 * unit<TestType>);
  }
}

TEMPLATE_TEST_CASE("layer normalisation sees neither a shift nor a scale", "[normalization]", double, float) {
  // Multiples of 1/4, so that a shift by 2¹⁶ is exact even in float: only the mean of what is shifted is not.
  Random random(2);
  std::vector<double> x(40), shifted(40), turned(40);
  for (std::size_t i = 0; i < 40; ++i) {
    x[i] = static_cast<double>(random.whole(0, 40)) / 4;
    shifted[i] = x[i] + 65536;
    turned[i] = -8 * x[i];
  }
  const Matrix<TestType> found = layer<TestType>(x, 0);
  CHECK_THAT(layer<TestType>(shifted, 0), AllClose(found, 0, 100 * unit<TestType>));
  Matrix<TestType> negative = found;
  for (TestType& cell : negative) cell = -cell;
  CHECK_THAT(layer<TestType>(turned, 0), Same(negative));
}

TEMPLATE_TEST_CASE("root-mean-square normalisation keeps the direction and gives a mean square of 1", "[normalization]",
                   double, float) {
  Random random(3);
  const Tensor<TestType> x = random.template tensor<TestType>({10, 7}, 1, 3);
  const Tensor<TestType> found = rms_norm<TestType>(x, {}, 1, 0);
  for (std::size_t r = 0; r < 10; ++r) {
    double square = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      square += double(found(r, i)) * found(r, i) / 7;
      CHECK(is_close(found(r, i) / found(r, 0), double(x(r, i)) / x(r, 0), 8 * unit<TestType>, 0));
    }
    CHECK(std::abs(square - 1) <= 40 * unit<TestType>);
  }
  // A power of two moves no digit.
  CHECK_THAT(root_mean_square<TestType>({12, 20, -28}, 0), Same(root_mean_square<TestType>({3, 5, -7}, 0)));
}

TEMPLATE_TEST_CASE("normalised numbers are as exact as they say", "[normalization]", double, float) {
  Random random(4);
  for (std::size_t n : {1, 2, 7, 64, 1000})
    for (double low : {-3.0, 1000.0}) {
      const Tensor<TestType> x = random.template tensor<TestType>({n}, low, low + 6);
      long double mean = 0, variance = 0, square = 0;
      for (TestType cell : x) mean += static_cast<long double>(cell) / n;
      for (TestType cell : x) variance += (cell - mean) * (cell - mean) / n;
      for (TestType cell : x) square += static_cast<long double>(cell) * cell / n;
      const double epsilon = 0.25, bound = (static_cast<double>(n) + 8) * unit<TestType>;
      const LayerNorm<TestType> found = layer_norm<TestType>({x, {}, {}}, 0, epsilon);
      const Tensor<TestType> scaled = rms_norm<TestType>(x, {}, 0, epsilon);
      CHECK(is_close(found.mean.data()[0], static_cast<double>(mean), bound, bound));
      const double deviation = std::sqrt(static_cast<double>(variance + epsilon));
      CHECK(is_close(found.inverse_deviation.data()[0], 1 / deviation, bound, 0));
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(is_close(found.output.data()[i], static_cast<double>(x.data()[i] - mean) / deviation, bound, bound));
        CHECK(is_close(scaled.data()[i], x.data()[i] / std::sqrt(static_cast<double>(square + epsilon)), bound, 0));
      }
    }
}

TEMPLATE_TEST_CASE("all axes from one on are normalised together", "[normalization]", double, float) {
  Random random(5);
  const Tensor<TestType> x = random.template tensor<TestType>({2, 3, 4});
  const std::vector<Shape> statistics = {{1, 1, 1}, {2, 1, 1}, {2, 3, 1}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const LayerNorm<TestType> found = layer_norm<TestType>({x, {}, {}}, axis, 0.5);
    const Tensor<TestType> scaled = rms_norm<TestType>(x, {}, axis, 0.5);
    CHECK(shape_of(found.output) == Shape{2, 3, 4});
    CHECK(shape_of(found.mean) == statistics[axis]);
    CHECK(shape_of(found.inverse_deviation) == statistics[axis]);
    // Each row by itself gives the same.
    const std::size_t rows = found.mean.size(), n = 24 / rows;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::vector<double> numbers(x.begin() + r * n, x.begin() + (r + 1) * n);
      const std::vector<double> output(found.output.begin() + r * n, found.output.begin() + (r + 1) * n);
      const std::vector<double> divided(scaled.begin() + r * n, scaled.begin() + (r + 1) * n);
      CHECK_THAT(row<TestType>(output), Same(layer<TestType>(numbers, 0.5)));
      CHECK_THAT(row<TestType>(divided), Same(root_mean_square<TestType>(numbers, 0.5)));
    }
  }
}

TEMPLATE_TEST_CASE("scale and bias belong to the normalised axes and are broadcast over them", "[normalization]",
                   double, float) {
  // Rows (1, −1) normalise to themselves with ε = 0.
  const Tensor<TestType> x = tensor<TestType>({2, 2, 2}, {1, -1, 1, -1, 1, -1, 1, -1});
  const auto output = [&](std::size_t axis, const Tensor<TestType>& scale, const Tensor<TestType>& bias) {
    return flat(layer_norm<TestType>({x, scale, bias}, axis, 0).output);
  };
  const Tensor<TestType> two = tensor<TestType>({2}, {2, 3}), column = tensor<TestType>({2, 1}, {10, 20}),
                         one = tensor<TestType>({}, {5});
  CHECK_THAT(output(2, two, two), Same(row<TestType>({4, 0, 4, 0, 4, 0, 4, 0})));
  CHECK_THAT(output(2, one, two), Same(row<TestType>({7, -2, 7, -2, 7, -2, 7, -2})));
  CHECK_THAT(output(1, two, column), Same(row<TestType>({12, 7, 22, 17, 12, 7, 22, 17})));
  CHECK_THAT(output(0, column, one), Same(row<TestType>({15, -5, 25, -15, 15, -5, 25, -15})));
  CHECK_THAT(flat(rms_norm<TestType>(x, column, 1, 0)), Same(row<TestType>({10, -10, 20, -20, 10, -10, 20, -20})));
}

TEMPLATE_TEST_CASE("normalising what has no scale", "[normalization]", double, float) {
  CHECK_THAT(layer<TestType>({3, 3, 3}), Same(row<TestType>({0, 0, 0})));
  CHECK_THAT(layer<TestType>({3, 3, 3}, 0), Same(row<TestType>({nan, nan, nan})));
  CHECK_THAT(root_mean_square<TestType>({0, 0}), Same(row<TestType>({0, 0})));
  CHECK_THAT(root_mean_square<TestType>({0, 0}, 0), Same(row<TestType>({nan, nan})));
  for (double broken : {nan, inf, -inf})
    CHECK_THAT(layer<TestType>({1, broken, 2}), Same(row<TestType>({nan, nan, nan})));
  CHECK_THAT(root_mean_square<TestType>({1, inf, 2}), Same(row<TestType>({0, nan, 0})));
  CHECK_THAT(root_mean_square<TestType>({1, nan, 2}), Same(row<TestType>({nan, nan, nan})));
  const double square_overflows = std::sqrt(double(std::numeric_limits<TestType>::max())) * 4;
  CHECK_THAT(layer<TestType>({square_overflows, -square_overflows}), Same(row<TestType>({0, 0})));
  CHECK_THAT(root_mean_square<TestType>({square_overflows}), Same(row<TestType>({0})));

  const LayerNorm<TestType> empty = layer_norm<TestType>({zeros<TestType>({2, 0}), {}, {}}, 1, 1);
  CHECK(shape_of(empty.output) == Shape{2, 0});
  CHECK_THAT(flat(empty.mean), Same(row<TestType>({nan, nan})));
  CHECK(shape_of(rms_norm<TestType>(zeros<TestType>({0, 3}), {}, 1, 1)) == Shape{0, 3});
}

TEMPLATE_TEST_CASE("what normalisation refuses", "[normalization]", double, float) {
  const Tensor<TestType> x = zeros<TestType>({2, 3, 4});
  const auto layer_refuses = [&](const Shape& scale, const Shape& bias, std::size_t axis, double epsilon,
                                 const std::string& expected, const std::vector<std::string>& message) {
    return refused(
        [&] {
          layer_norm<TestType>({x, zeros<TestType>(scale), zeros<TestType>(bias)}, axis, epsilon);
        },
        expected, message);
  };
  for (const Shape& wrong : {Shape{3}, Shape{3, 4}, Shape{1, 4}, Shape{0}})
    CHECK(layer_refuses(wrong, {4}, 2, 1, "dimension-mismatch scale", {"[2, 3, 4]", shape_text(zeros<double>(wrong))}));
  CHECK(layer_refuses({4}, {2, 4}, 1, 1, "dimension-mismatch bias", {"[2, 3, 4]", "[2, 4]"}));
  CHECK(layer_refuses({4}, {4}, 3, 1, "bad-axis axis", {"[2, 3, 4]"}));
  for (double epsilon : {-1e-9, nan, inf}) CHECK(layer_refuses({4}, {4}, 2, epsilon, "bad-epsilon epsilon", {}));
  const bool is_double = std::is_same_v<TestType, double>;
  CHECK(layer_refuses({4}, {4}, 2, 1e300, "bad-epsilon epsilon", {}) == !is_double);
  CHECK(refused(
      [&] {
        rms_norm<TestType>(x, zeros<TestType>({3}), 2, 1);
      },
      "dimension-mismatch scale", {"[3]", "[2, 3, 4]"}));
  CHECK(refused(
      [&] {
        rms_norm<TestType>(x, {}, 2, -1);
      },
      "bad-epsilon epsilon"));
  CHECK(refused(
      [&] {
        rms_norm<TestType>(zeros<TestType>({}), {}, 0, 1);
      },
      "bad-axis axis"));
}

}  // namespace
}  // namespace attention
