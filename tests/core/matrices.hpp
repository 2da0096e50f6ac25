// Matrices for tests: written down, cut, or drawn from a seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "core/matrix.hpp"

namespace attention {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// table<Real>({{1, 2}, {3, 4}}): rows as they are read.
template <class Real>
Matrix<Real> table(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix<Real> result = filled<Real>(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size(), 0);
  std::size_t row = 0;
  for (const auto& cells : rows) {
    std::size_t col = 0;
    for (double cell : cells) result(row, col++) = static_cast<Real>(cell);
    ++row;
  }
  return result;
}

// The rows of a matrix with these indices, in this order.
template <class Real>
Matrix<Real> rows_of(const Matrix<Real>& matrix, const std::vector<std::size_t>& rows) {
  Matrix<Real> result = filled<Real>(rows.size(), matrix.shape(1), 0);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t col = 0; col < matrix.shape(1); ++col) result(row, col) = matrix(rows[row], col);
  return result;
}

template <class To, class From>
Matrix<To> converted(const Matrix<From>& matrix) {
  Matrix<To> result = filled<To>(matrix.shape(0), matrix.shape(1), 0);
  for (std::size_t row = 0; row < matrix.shape(0); ++row)
    for (std::size_t col = 0; col < matrix.shape(1); ++col) result(row, col) = static_cast<To>(matrix(row, col));
  return result;
}

// Numbers from a seed, the same ones on every machine: the standard distributions differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // In [low, high), and exact as a float, so that both types compute from the same numbers.
  double number(double low, double high) {
    return static_cast<float>(low + (high - low) * static_cast<double>(bits_() >> 40) * 0x1p-24);
  }

  // low … high, both possible.
  std::size_t whole(std::size_t low, std::size_t high) { return low + bits_() % (high - low + 1); }

  template <class Real>
  Matrix<Real> matrix(std::size_t rows, std::size_t cols, double low = -2, double high = 2) {
    Matrix<Real> result = filled<Real>(rows, cols, 0);
    for (Real& cell : result) cell = static_cast<Real>(number(low, high));
    return result;
  }

  // 1 in about two of three places, else 0.
  template <class Real>
  Matrix<Real> mask(std::size_t rows, std::size_t cols) {
    Matrix<Real> result = filled<Real>(rows, cols, 0);
    for (Real& cell : result) cell = bits_() % 3 == 0 ? 0 : 1;
    return result;
  }

  // Any other shape, in the same way.
  template <class Real>
  Tensor<Real> tensor(const std::vector<std::size_t>& shape, double low = -2, double high = 2) {
    Tensor<Real> result = zeros<Real>(shape);
    for (Real& cell : result) cell = static_cast<Real>(number(low, high));
    return result;
  }

  template <class Real>
  Tensor<Real> mask_tensor(const std::vector<std::size_t>& shape) {
    Tensor<Real> result = zeros<Real>(shape);
    for (Real& cell : result) cell = bits_() % 3 == 0 ? 0 : 1;
    return result;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace attention
