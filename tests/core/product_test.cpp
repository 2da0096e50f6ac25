// a·b by NumPy's rules: https://numpy.org/doc/stable/reference/generated/numpy.matmul.html
#include "core/product.hpp"

#include <cmath>

#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

TEMPLATE_TEST_CASE("products written down", "[product]", double, float) {
  const auto product = [](const Tensor<TestType>& a, const Tensor<TestType>& b) {
    return matmul<TestType>(a, b);
  };
  // The examples of NumPy's page.
  const Tensor<TestType> unit = tensor<TestType>({2, 2}, {1, 0, 0, 1}), b = tensor<TestType>({2, 2}, {4, 1, 2, 2}),
                         two = tensor<TestType>({2}, {1, 2});
  CHECK_THAT(flat(product(unit, b)), Same(flat(b)));
  CHECK_THAT(flat(product(unit, two)), Same(row<TestType>({1, 2})));
  CHECK_THAT(flat(product(two, unit)), Same(row<TestType>({1, 2})));
  // By hand: (1 2 3; 4 5 6)·(7 8; 9 10; 11 12).
  CHECK_THAT(
      flat(product(tensor<TestType>({2, 3}, {1, 2, 3, 4, 5, 6}), tensor<TestType>({3, 2}, {7, 8, 9, 10, 11, 12}))),
      Same(row<TestType>({58, 64, 139, 154})));
}

TEST_CASE("the shape of a product", "[product]") {
  const auto shape = [](const Shape& a, const Shape& b) {
    return shape_of(matmul(zeros<double>(a), zeros<double>(b)));
  };
  CHECK(shape({3}, {3}) == Shape{});
  CHECK(shape({4}, {2, 4, 1}) == Shape{2, 1});
  CHECK(shape({2, 3, 4}, {4}) == Shape{2, 3});
  CHECK(shape({9, 5, 7, 4}, {9, 5, 4, 3}) == Shape{9, 5, 7, 3});
  CHECK(shape({3, 1, 3, 4}, {2, 4, 2}) == Shape{3, 2, 3, 2});
  CHECK(shape({3, 4}, {5, 1, 4, 2}) == Shape{5, 1, 3, 2});
  CHECK(shape({0, 4}, {4, 2}) == Shape{0, 2});
  CHECK(shape({0, 3, 4}, {1, 4, 2}) == Shape{0, 3, 2});
}

TEMPLATE_TEST_CASE("every matrix of a product is the product of its matrices", "[product]", double, float) {
  Random random(1);
  const Tensor<TestType> a = random.template tensor<TestType>({3, 1, 2, 5}),
                         b = random.template tensor<TestType>({4, 5, 3});
  const Tensor<TestType> found = matmul(a, b);
  const double bound = 5 * std::numeric_limits<TestType>::epsilon() / 2;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
          double sum = 0, size = 0;
          for (std::size_t m = 0; m < 5; ++m) {
            sum += double(a(i, 0, r, m)) * b(j, m, c);
            size += std::abs(double(a(i, 0, r, m)) * b(j, m, c));
          }
          CHECK(is_close(found(i, j, r, c), sum, 0, bound * size));
        }
}

TEMPLATE_TEST_CASE("products of nothing and of what is not finite", "[product]", double, float) {
  CHECK_THAT(flat(matmul(zeros<TestType>({2, 0}), zeros<TestType>({0, 2}))), Same(row<TestType>({0, 0, 0, 0})));
  CHECK(matmul(zeros<TestType>({0}), zeros<TestType>({0})).data()[0] == 0);
  // 0·∞ is NaN in its row and column alone.
  const Tensor<TestType> a = tensor<TestType>({2, 2}, {0, 1, 1, 1}), b = tensor<TestType>({2, 2}, {inf, 2, 3, 4});
  CHECK_THAT(flat(matmul(a, b)), Same(row<TestType>({nan, 4, inf, 6})));
}

TEST_CASE("what a product refuses", "[product]") {
  const auto refuses = [](const Shape& a, const Shape& b, const std::string& expected) {
    const Tensor<double> left = zeros<double>(a), right = zeros<double>(b);
    return refused(
        [&] {
          matmul(left, right);
        },
        expected, {shape_text(left), shape_text(right)});
  };
  CHECK(refused(
      [] {
        matmul(zeros<double>({}), zeros<double>({2}));
      },
      "bad-rank a"));
  CHECK(refused(
      [] {
        matmul(zeros<double>({2}), zeros<double>({}));
      },
      "bad-rank b"));
  CHECK(refuses({2, 3}, {2, 3}, "dimension-mismatch b"));
  CHECK(refuses({1, 2}, {1, 2}, "dimension-mismatch b"));
  CHECK(refuses({3}, {2}, "dimension-mismatch b"));
  CHECK(refuses({2, 3, 4}, {3, 4, 5}, "dimension-mismatch b"));
  // 2³² cells are 0 in 32 bits.
  CHECK(refuses({65536, 1}, {1, 65536}, "bad-size b"));
  CHECK(refuses({46341, 1}, {1, 46341}, "bad-size b"));
}

}  // namespace
}  // namespace attention
