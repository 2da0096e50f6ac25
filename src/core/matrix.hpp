// Letters used in every header of the core:
//   n_q, n_k   number of queries, number of keys (and values)
//   d_k, d_v   length of a query or key, length of a value
//   Q [n_q, d_k]   K [n_k, d_k]   V [n_k, d_v]   rows are tokens
//   T          temperature, and nothing else; the template parameter is called Real
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/xtensor.hpp"

namespace attention {

// A row-major table of numbers. Every value on a tape is one; a column of numbers is [n, 1].
template <class Real>
using Matrix = xt::xtensor<Real, 2>;

// Numbers with any number of axes, row-major.
template <class Real>
using Tensor = xt::xarray<Real>;

template <class Real>
constexpr Real infinity = std::numeric_limits<Real>::infinity();

// A matrix [rows, cols] in which every cell is `value`.
template <class Real>
Matrix<Real> filled(std::size_t rows, std::size_t cols, Real value) {
  return Matrix<Real>(std::array<std::size_t, 2>{rows, cols}, value);
}

// A tensor of this shape, full of zeros.
template <class Real>
Tensor<Real> zeros(const std::vector<std::size_t>& shape) {
  return Tensor<Real>(typename Tensor<Real>::shape_type(shape.begin(), shape.end()), Real(0));
}

template <class Real>
bool same_shape(const Matrix<Real>& a, const Matrix<Real>& b) {
  return a.shape() == b.shape();
}

}  // namespace attention
