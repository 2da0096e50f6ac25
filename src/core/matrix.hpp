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

// A matrix [rows, cols] in which every cell is `value`. Throws std::length_error when there is no memory of that size:
// in 32 bits a product of lengths would wrap around, and too little would be taken.
template <class Real>
Matrix<Real> filled(std::size_t rows, std::size_t cols, Real value);

// A tensor of this shape, full of zeros. Throws std::length_error as `filled`.
template <class Real>
Tensor<Real> zeros(const std::vector<std::size_t>& shape);

// How many numbers a shape has. Throws std::length_error when that many have no room in memory.
std::size_t number_of_cells(const std::vector<std::size_t>& shape);

template <class Real>
bool same_shape(const Matrix<Real>& a, const Matrix<Real>& b) {
  return a.shape() == b.shape();
}

}  // namespace attention
