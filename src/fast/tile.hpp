// The innermost product: a tile of C in registers, one step of the common axis after the other.
#pragma once

#include "fast/vector.hpp"

namespace attention::fast {

// Eight sums of four: with the two vectors of b and one of a they fit the sixteen registers that engines have.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_cols = 8;

// Sums in registers: [4 rows][2 halves of 8 columns].
struct Tile {
  Vector sums[tile_rows][2] = {};

  // With the place of each in a matrix whose rows are `stride` apart.
  template <class Visit>
  void for_each(float* first, std::size_t stride, Visit visit) {
#pragma clang loop unroll(full)
    for (std::size_t row = 0; row < tile_rows; ++row)
      for (std::size_t half = 0; half < 2; ++half) visit(sums[row][half], first + row * stride + half * lanes, row);
  }
};

// A·B for one tile. A's number of row r and step k is at a[r·a_row + k·a_step]; both are constants, so that an address
// is one register. B's rows of 8 are `b_stride` apart. Sums start at 0 and not at the first products, since the sign of
// a sum of zeros would tell that of a value behind a weight of 0.
template <std::size_t a_row, std::size_t a_step>
inline Tile product_tile(const float* a, const float* b, std::size_t b_stride, std::size_t depth) {
  Tile tile;
  // One step a turn: engines make slower code of a body that was unrolled.
#pragma clang loop unroll(disable)
  for (std::size_t step = 0; step < depth; ++step, a += a_step, b += b_stride) {
    const Vector left = load(b), right = load(b + lanes);
#pragma clang loop unroll(full)
    for (std::size_t row = 0; row < tile_rows; ++row) {
      const Vector from_a = load_all(a + row * a_row);
      tile.sums[row][0] += from_a * left;
      tile.sums[row][1] += from_a * right;
    }
  }
  return tile;
}

// C += A·B for one tile, C [4, 8] with rows `c_stride` apart, or C = A·B where `adds` is false. What C had is added at
// the end, and so rounded once. B is packed: its rows follow each other.
template <std::size_t a_row, std::size_t a_step, bool adds>
inline void multiply_tile(const float* a, const float* b, std::size_t depth, float* c, std::size_t c_stride) {
  product_tile<a_row, a_step>(a, b, tile_cols, depth).for_each(c, c_stride, [](Vector sum, float* to, std::size_t) {
    store(to, adds ? load(to) + sum : sum);
  });
}

}  // namespace attention::fast
