// Products of floats against sums in double.
#include "fast/gemm.hpp"

#include <cmath>
#include <vector>

#include "core/all_close.hpp"
#include "core/matrices.hpp"

namespace attention::fast {
namespace {

struct Product {
  std::size_t rows, cols, depth;
  bool transposes_a, transposes_b, adds;
};

// Computes into a matrix with a margin that must stay as it is.
void check(const Product& of, Random& random) {
  INFO(of.rows << "×" << of.depth << "·" << of.depth << "×" << of.cols);
  const Matrix<float> a = random.matrix<float>(of.rows, of.depth), b = random.matrix<float>(of.depth, of.cols);
  std::vector<float> a_cells(a.begin(), a.end()), b_cells(b.begin(), b.end());
  for (std::size_t row = 0; of.transposes_a && row < of.rows; ++row)
    for (std::size_t col = 0; col < of.depth; ++col) a_cells[col * of.rows + row] = a(row, col);
  for (std::size_t row = 0; of.transposes_b && row < of.depth; ++row)
    for (std::size_t col = 0; col < of.cols; ++col) b_cells[col * of.depth + row] = b(row, col);
  const std::size_t stride = of.cols + 3;
  std::vector<float> found(of.rows * stride, 0.5f), scratch(gemm_scratch(of.rows, of.cols, of.depth));
  gemm(of.rows, of.cols, of.depth,
       of.transposes_a ? View{a_cells.data(), 1, of.rows} : View{a_cells.data(), of.depth, 1},
       of.transposes_b ? View{b_cells.data(), 1, of.depth} : View{b_cells.data(), of.cols, 1}, found.data(), stride,
       of.adds, scratch.data());
  double largest = 0;  // of the differences, as a part of what is promised
  bool is_margin_kept = true;
  for (std::size_t row = 0; row < of.rows; ++row)
    for (std::size_t col = 0; col < stride; ++col) {
      const float cell = found[row * stride + col];
      if (col >= of.cols) {
        is_margin_kept = is_margin_kept && cell == 0.5f;
        continue;
      }
      double sum = of.adds ? 0.5 : 0, sizes = sum;
      for (std::size_t step = 0; step < of.depth; ++step) {
        const double term = static_cast<double>(a(row, step)) * b(step, col);
        sum += term;
        sizes += std::abs(term);
      }
      const double allowed = static_cast<double>(of.depth + (of.adds ? 1 : 0)) * 0x1p-24 * sizes;
      if (cell != sum) largest = larger_or_nan(largest, std::abs(cell - sum) / allowed);
    }
  CHECK(largest <= 1);
  CHECK(is_margin_kept);
}

TEST_CASE("products of every shape", "[fast]") {
  Random random(21);
  for (int round = 0; round < 150; ++round)
    check({random.whole(0, 40), random.whole(0, 40), random.whole(0, 40), random.whole(0, 1) == 1,
           random.whole(0, 1) == 1, random.whole(0, 1) == 1},
          random);
}

TEST_CASE("a product is rounded once, and twice where it is added to what there was", "[fast]") {
  Random random(23);
  for (int round = 0; round < 100; ++round)
    for (const bool adds : {false, true}) check({9, 9, 1, false, false, adds}, random);
}

TEST_CASE("products beyond one block", "[fast]") {
  Random random(22);
  for (const bool adds : {false, true}) {
    check({3, 5, 600, false, true, adds}, random);
    check({210, 9, 4, true, false, adds}, random);
    check({2, 1545, 9, false, false, adds}, random);
    check({5, 3, 513, true, false, adds}, random);
    check({3, 4, 1025, false, true, adds}, random);
  }
}

}  // namespace
}  // namespace attention::fast
