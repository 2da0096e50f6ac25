// The kernels on numbers that lie in their own memory, as those of other libraries do: for the benchmark, which says
// where they are.
#include <vector>

#include "fast/attention.hpp"
#include "fast/gemm.hpp"
#include "fast/scratch.hpp"
#include "fast/softmax.hpp"

namespace attention {
namespace {

std::vector<float> numbers;

}  // namespace
}  // namespace attention

extern "C" {

// Room for all of them.
float* room(std::size_t count) {
  attention::numbers.resize(count);
  return attention::numbers.data();
}

void softmax(const float* x, std::size_t rows, std::size_t length, float* weights) {
  attention::fast::softmax_rows(x, rows, length, 1, weights);
}

void multiply(const float* a, const float* b, std::size_t rows, std::size_t cols, std::size_t depth, float* product) {
  using namespace attention::fast;
  Scratch scratch(gemm_scratch(rows, cols, depth));
  gemm(rows, cols, depth, {a, depth, 1}, {b, cols, 1}, product, cols, false, scratch.take(0));
}

// Heads side by side.
void attend(const float* q, const float* k, const float* v, std::size_t heads, std::size_t tokens, std::size_t cols,
            float* output) {
  attention::fast::attend_heads({1, heads, heads, tokens, tokens, cols, cols, true}, {}, q, k, v, output);
}
}
