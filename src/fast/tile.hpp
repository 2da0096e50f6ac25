// The innermost product: a tile of C in registers, one step of the common axis after the other.
#pragma once

#include <algorithm>

#include "fast/vector.hpp"

namespace attention::fast {

// Eight sums of four: with the two vectors of b and one of a they fit the sixteen registers that engines have.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_cols = 8;

// C += A·B for one tile, C [4, 8] with rows `c_stride` apart, or C = A·B where `adds` is false. What C had is added at
// the end, and so rounded once. A's number of row r and step k is at a[r·a_row + k·a_step]; both are constants, so that
// an address is one register. B's rows of 8 follow each other, where it is packed, or are `b_stride` apart.
template <std::size_t a_row, std::size_t a_step, bool adds>
inline void multiply_tile(const float* a, const float* b, std::size_t depth, float* c, std::size_t c_stride,
                          std::size_t b_stride = tile_cols) {
  // Not the first products, since the sign of a sum of zeros would tell that of a value behind a weight of 0.
  Vector sums[tile_rows][2] = {};
  // One step a turn: engines make slower code of a body that was unrolled.
#pragma clang loop unroll(disable)
  for (std::size_t step = 0; step < depth; ++step, a += a_step, b += b_stride) {
    const Vector left = load(b), right = load(b + lanes);
#pragma clang loop unroll(full)
    for (std::size_t row = 0; row < tile_rows; ++row) {
      const Vector from_a = load_all(a + row * a_row);
      sums[row][0] += from_a * left;
      sums[row][1] += from_a * right;
    }
  }
#pragma clang loop unroll(full)
  for (std::size_t row = 0; row < tile_rows; ++row)
    for (std::size_t half = 0; half < 2; ++half) {
      float* const to = c + row * c_stride + half * lanes;
      store(to, adds ? load(to) + sums[row][half] : sums[row][half]);
    }
}

// Four rows of weights times 8 columns of values: `sums` [4, 8]. A float that grows with the row loses what is small
// beside it, so the values of 16 keys are added in one go.
template <std::size_t row_stride, std::size_t key_stride>
inline void multiply_weights(const float* weights, const float* values, std::size_t value_stride, std::size_t keys,
                             float* sums) {
  constexpr std::size_t few = 16;
  multiply_tile<row_stride, key_stride, false>(weights, values, std::min(few, keys), sums, tile_cols, value_stride);
  for (std::size_t key = few; key < keys; key += few)
    multiply_tile<row_stride, key_stride, true>(weights + key * key_stride, values + key * value_stride,
                                                std::min(few, keys - key), sums, tile_cols, value_stride);
}

// As far as there are rows and columns, each row multiplied with its share.
inline void write_shared(const float* sums, const float* shares, std::size_t rows, std::size_t cols, float* to,
                         std::size_t stride) {
  for (std::size_t row = 0; row < rows; ++row, sums += tile_cols, to += stride) {
    const Vector share = load_all(shares + row);
    if (cols == tile_cols) {
      store(to, load(sums) * share);
      store(to + lanes, load(sums + lanes) * share);
    } else {
      for (std::size_t col = 0; col < cols; ++col) to[col] = sums[col] * share[0];
    }
  }
}

}  // namespace attention::fast
