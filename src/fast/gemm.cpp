#include "fast/gemm.hpp"

#include <algorithm>

#include "fast/pack.hpp"
#include "fast/tile.hpp"

namespace attention::fast {

namespace {

// A panel of B and a tile of A lie in the first-level cache, a block of A in the second.
constexpr std::size_t block_depth = 512, block_rows = 96, block_cols = 768;

template <bool adds>
void multiply_block(const float* a, const float* b, std::size_t rows, std::size_t cols, std::size_t depth, float* c,
                    std::size_t c_stride) {
  for (std::size_t col = 0; col < cols; col += tile_cols, b += depth * tile_cols)
    for (std::size_t row = 0; row < rows; row += tile_rows) {
      float* to = c + row * c_stride + col;
      const float* tile = a + row * depth;
      const std::size_t wide = std::min(tile_cols, cols - col), high = std::min(tile_rows, rows - row);
      if (wide == tile_cols && high == tile_rows) {
        multiply_tile<1, tile_rows, adds>(tile, b, depth, to, c_stride);
        continue;
      }
      float edge[tile_rows * tile_cols];
      multiply_tile<1, tile_rows, false>(tile, b, depth, edge, tile_cols);
      for (std::size_t i = 0; i < high; ++i)
        for (std::size_t j = 0; j < wide; ++j)
          to[i * c_stride + j] = (adds ? to[i * c_stride + j] : 0) + edge[i * tile_cols + j];
    }
}

}  // namespace

std::size_t gemm_scratch(std::size_t rows, std::size_t cols, std::size_t depth) {
  const std::size_t deep = std::min(depth, block_depth);
  return deep * (rounded_up(std::min(rows, block_rows), tile_rows) + rounded_up(std::min(cols, block_cols), tile_cols));
}

void gemm(std::size_t rows, std::size_t cols, std::size_t depth, View a, View b, float* c, std::size_t c_stride,
          bool adds, float* scratch) {
  if (depth == 0) {
    if (!adds)
      for (std::size_t row = 0; row < rows; ++row) std::fill_n(c + row * c_stride, cols, 0.0f);
    return;
  }
  // Blocks of one depth, so that none is thin.
  const std::size_t blocks = (depth + block_depth - 1) / block_depth, deepest = (depth + blocks - 1) / blocks;
  for (std::size_t step = 0; step < depth; step += deepest) {
    const std::size_t deep = std::min(deepest, depth - step);
    for (std::size_t col = 0; col < cols; col += block_cols) {
      const std::size_t wide = std::min(block_cols, cols - col);
      float* packed_a = scratch + deep * rounded_up(wide, tile_cols);
      pack_panels<tile_cols>(b.data + step * b.row_stride + col * b.col_stride, b.col_stride, b.row_stride, wide, deep,
                             scratch);
      for (std::size_t row = 0; row < rows; row += block_rows) {
        const std::size_t high = std::min(block_rows, rows - row);
        pack_panels<tile_rows>(a.data + row * a.row_stride + step * a.col_stride, a.row_stride, a.col_stride, high,
                               deep, packed_a);
        const auto multiply = adds || step > 0 ? multiply_block<true> : multiply_block<false>;
        multiply(packed_a, scratch, high, wide, deep, c + row * c_stride + col, c_stride);
      }
    }
  }
}

}  // namespace attention::fast
