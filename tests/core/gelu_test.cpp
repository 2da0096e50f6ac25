// gelu(x) = x·Φ(x), Φ the normal distribution, and its form with tanh.
#include "core/gelu.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

template <class Real>
Matrix<Real> gelu_of(const std::vector<double>& x, GeluKind kind = GeluKind::exact) {
  return flat(gelu(tensor<Real>({x.size()}, x), kind));
}

double gelu_at(double x, GeluKind kind = GeluKind::exact) { return gelu_of<double>({x}, kind)(0, 0); }

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 0x1p-23;

TEMPLATE_TEST_CASE("gelu values from elsewhere", "[gelu]", double, float) {
  // Φ(1) = 0.841344746068543 and Φ(2) = 0.977249868051821 from tables (Abramowitz & Stegun 1964, table 26.1).
  CHECK_THAT(gelu_of<TestType>({0, 1, -1, 2, -2}),
             AllClose(row<TestType>({0, 0.841344746068543, -(1 - 0.841344746068543), 2 * 0.977249868051821,
                                     -2 * (1 - 0.977249868051821)}),
                      tolerance<TestType>, 0));
  // Keras, keras/src/ops/nn_test.py, test_gelu, where tanh is the default.
  CHECK_THAT(gelu_of<TestType>({-1, 0, 1, 2, 3}, GeluKind::tanh),
             AllClose(row<TestType>({-0.15880796, 0, 0.841192, 1.9545977, 2.9963627}), 0, 1.5e-6));
}

TEST_CASE("gelu far on the left is the tail of the normal distribution", "[gelu]") {
  // −log₁₀(1 − Φ(x)) from Abramowitz & Stegun 1964, table 26.2.
  for (const auto& [x, logarithm] : {std::pair(5, 6.54265), std::pair(10, 23.11805), std::pair(20, 88.56010)})
    CHECK(std::abs(-std::log10(gelu_at(-x) / -x) - logarithm) <= 6e-6);
  // 1 − Φ(x) = φ(x)/x·(1 − 1/x² + 1·3/x⁴ − 1·3·5/x⁶ + …) (ibid., 26.2.12).
  for (int x = 16; x <= 37; ++x) {
    double series = 1;
    for (int k = 12; k >= 1; --k) series = 1 - series * (2 * k - 1) / (x * x);
    const double expected = -std::exp(-0.5 * x * x) / std::sqrt(2 * 3.141592653589793) * series;
    CHECK(is_close(gelu_at(-x), expected, 1e-12, 0));
  }
}

TEST_CASE("gelu with tanh far on the left is as exact", "[gelu]") {
  // ½(1 − tanh u)/(½(1 + tanh u)) = e^(−2u).
  for (double x = 0.25; x <= 20; x += 0.25) {
    const double u = std::sqrt(2 / 3.141592653589793) * (x + 0.044715 * x * x * x);
    CHECK(is_close(gelu_at(-x, GeluKind::tanh), -gelu_at(x, GeluKind::tanh) * std::exp(-2 * u), 1e-12, 0));
  }
}

TEMPLATE_TEST_CASE("gelu on both sides differs by x", "[gelu]", double, float) {
  for (GeluKind kind : {GeluKind::exact, GeluKind::tanh})
    for (double x = 0.125; x < 12; x += 0.125) {
      const Matrix<TestType> both = gelu_of<TestType>({x, -x}, kind);
      CHECK(is_close(both(0, 0) - both(0, 1), x, 2 * std::numeric_limits<TestType>::epsilon(), 0));
    }
}

TEST_CASE("both forms of gelu are within half a thousandth of each other, and are not the same", "[gelu]") {
  double largest = 0;
  for (double x = -6; x <= 6; x += 0.01)
    largest = larger_or_nan(largest, std::abs(gelu_at(x) - gelu_at(x, GeluKind::tanh)));
  CHECK(largest < 5e-4);
  CHECK(largest > 4e-4);
}

TEST_CASE("gelu in float is the double rounded once", "[gelu]") {
  for (GeluKind kind : {GeluKind::exact, GeluKind::tanh})
    for (double x = -13; x < 13; x += 0.0625)
      CHECK(gelu_of<float>({x}, kind)(0, 0) == static_cast<float>(gelu_at(x, kind)));
}

TEMPLATE_TEST_CASE("gelu at the ends", "[gelu]", double, float) {
  const TestType largest = std::numeric_limits<TestType>::max();
  for (GeluKind kind : {GeluKind::exact, GeluKind::tanh}) {
    const Matrix<TestType> found = gelu_of<TestType>({inf, -inf, nan, largest, -largest, 0}, kind);
    CHECK_THAT(found, Same(row<TestType>({inf, 0, nan, largest, 0, 0})));
    CHECK(std::signbit(found(0, 1)));
    CHECK(std::signbit(found(0, 4)));
  }
  CHECK(shape_of(gelu(zeros<TestType>({2, 0, 3}), GeluKind::exact)) == Shape{2, 0, 3});
  CHECK(shape_of(gelu(zeros<TestType>({}), GeluKind::exact)) == Shape{});
}

}  // namespace
}  // namespace attention
