// The matrices that a product of tensors consists of.
#pragma once

#include "core/broadcast.hpp"
#include "core/error.hpp"

namespace attention {

// a·b as NumPy's matmul defines it; multiply(n, m, p, left, right, cells) writes the product of one matrix [n, m] and
// one [m, p] into cells [n, p], which are 0. Throws as matmul does.
template <class Real, class Multiply>
Tensor<Real> broadcast_product(const Tensor<Real>& a, const Tensor<Real>& b, Multiply multiply) {
  if (a.dimension() == 0) throw AttentionError("bad-rank", "a", "a must have an axis, it is one number");
  if (b.dimension() == 0) throw AttentionError("bad-rank", "b", "b must have an axis, it is one number");
  const bool row = a.dimension() == 1, column = b.dimension() == 1;
  std::vector<std::size_t> left(a.shape().begin(), a.shape().end()), right(b.shape().begin(), b.shape().end());
  if (row) left.insert(left.begin(), 1);
  if (column) right.push_back(1);
  const std::size_t n = left[left.size() - 2], m = left.back(), p = right.back();
  const auto mismatch = [&] {
    return AttentionError("dimension-mismatch", "b", "b " + shape_text(b) + " does not fit a " + shape_text(a));
  };
  if (right[right.size() - 2] != m) throw mismatch();
  left.resize(left.size() - 2);
  right.resize(right.size() - 2);
  std::vector<std::size_t> shape;
  if (!broadcast_shape(left, right, shape)) throw mismatch();

  const std::size_t matrices = number_of_cells(shape);
  const Broadcast from_a(left, shape), from_b(right, shape);
  if (!row) shape.push_back(n);
  if (!column) shape.push_back(p);
  if (!fits(shape))
    throw AttentionError("bad-size", "b",
                         "b " + shape_text(b) + " times a " + shape_text(a) + " is larger than 2³¹ − 1 numbers");
  Tensor<Real> result = zeros<Real>(shape);
  if (result.size() == 0) return result;
  for (std::size_t matrix = 0; matrix < matrices; ++matrix)
    multiply(n, m, p, a.data() + from_a(matrix) * n * m, b.data() + from_b(matrix) * m * p,
             result.data() + matrix * n * p);
  return result;
}

}  // namespace attention
