// The innermost product: a tile of C in registers, one step of the common axis after the other.
#pragma once

#include "fast/vector.hpp"

namespace attention::fast {

// Eight sums of four: with the two vectors of b and one of a they fit the sixteen registers that engines have.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_cols = 8;

// C += A·B for one tile, C [4, 8] with rows `c_stride` apart, or C = A·B where `adds` is false. What C had is added at
// the end, and so rounded once. Where the common axis `is_short`, but not empty, sums start with the first products
// instead of 0: an addition less for each, but 3 % slower where it is long.
// A's number of row r and step k is at a[r·a_row + k·a_step]; both are constants, so that an address is one register.
// B [depth, 8] is packed: its rows follow each other.
template <std::size_t a_row, std::size_t a_step, bool adds, bool is_short = false>
inline void multiply_tile(const float* a, const float* b, std::size_t depth, float* c, std::size_t c_stride) {
  Vector sums[tile_rows][2] = {};
  const auto take_step = [&](auto take) {
    const Vector left = load(b), right = load(b + lanes);
#pragma clang loop unroll(full)
    for (std::size_t row = 0; row < tile_rows; ++row) {
      const Vector from_a = load_all(a + row * a_row);
      take(sums[row][0], from_a * left);
      take(sums[row][1], from_a * right);
    }
    a += a_step;
    b += tile_cols;
  };
  if constexpr (is_short) {
    take_step([](Vector& sum, Vector product) {
      sum = product;
    });
  }
  // One step a turn: engines make slower code of a body that was unrolled.
#pragma clang loop unroll(disable)
  for (std::size_t step = is_short ? 1 : 0; step < depth; ++step)
    take_step([](Vector& sum, Vector product) {
      sum += product;
    });
#pragma clang loop unroll(full)
  for (std::size_t row = 0; row < tile_rows; ++row)
    for (std::size_t half = 0; half < 2; ++half) {
      float* const to = c + row * c_stride + half * lanes;
      store(to, adds ? load(to) + sums[row][half] : sums[row][half]);
    }
}

}  // namespace attention::fast
