// softmax over rows of floats against the core in double, from the same numbers.
#include "fast/softmax.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/matrices.hpp"
#include "core/softmax.hpp"

namespace attention {
namespace {

Matrix<float> softmax_of(const Matrix<float>& x, double temperature) {
  Matrix<float> weights = filled<float>(x.shape(0), x.shape(1), 0);
  fast::softmax_rows(x.data(), x.shape(0), x.shape(1), temperature, weights.data());
  return weights;
}

TEST_CASE("rows of every length: within 5e-7 of the largest weight", "[fast]") {
  Random random(31);
  for (std::size_t length = 0; length < 70; ++length) {
    const double range = random.number(0.1, 30), temperature = random.number(0.3, 4);
    const Matrix<float> x = random.matrix<float>(3, length, -range, range);
    const Matrix<float> found = softmax_of(x, temperature);
    const Matrix<double> wanted = softmax_rows(converted<double>(x), temperature, SoftmaxKind::stable);
    for (std::size_t row = 0; row < 3; ++row) {
      double largest = 0, difference = 0;
      for (std::size_t col = 0; col < length; ++col) {
        largest = std::max(largest, wanted(row, col));
        difference = larger_or_nan(difference, std::abs(found(row, col) - wanted(row, col)));
      }
      CHECK(difference <= 5e-7 * largest);
    }
  }
}

TEST_CASE("long rows of one number beside many smaller ones: within 5e-7 of the largest weight", "[fast]") {
  for (const std::size_t length : {257, 1025, 16385}) {
    Matrix<float> x = filled<float>(1, length, std::log(0.1f));
    x(0, 0) = 0;
    // 1/(1 + (length − 1)·e^x), with the x that a float holds.
    const double largest = 1 / (1 + static_cast<double>(length - 1) * std::exp(static_cast<double>(std::log(0.1f))));
    CHECK(std::abs(softmax_of(x, 1)(0, 0) / largest - 1) <= 5e-7);
  }
}

TEST_CASE("scores far from 0 change no bit, if their differences are the same", "[fast]") {
  const Matrix<float> x = table<float>({{1, 2, 3, 4, 5}}), far = table<float>({{1025, 1026, 1027, 1028, 1029}});
  CHECK_THAT(softmax_of(x, 1), Same(softmax_of(far, 1)));
}

TEST_CASE("in the place of the scores: the same to the bit", "[fast]") {
  Random random(32);
  for (std::size_t length = 1; length < 40; ++length) {
    const Matrix<float> x = random.matrix<float>(3, length, -20, 20);
    Matrix<float> weights = x;
    fast::softmax_rows(weights.data(), 3, length, 0.7, weights.data());
    CHECK_THAT(weights, Same(softmax_of(x, 0.7)));
  }
}

TEST_CASE("rows that are no numbers", "[fast]") {
  const Matrix<float> x =
      table<float>({{1, nan, 2, 3, 4}, {1, inf, 2, 3, 4}, {-inf, -inf, -inf, -inf, -inf}, {-inf, 0, -inf, -inf, -inf}});
  CHECK_THAT(softmax_of(x, 1), AllClose(softmax_rows(x, 1, SoftmaxKind::stable), 1e-6, 0));
}

}  // namespace
}  // namespace attention
