// Matrices of floats, for calls in which what surrounds the numbers would be most of the time: no objects cross the
// boundary, only numbers, and names that start with `_` are the exports of WebAssembly itself. Operands are written one
// after the other, where room_for_floats says.
#include <emscripten/emscripten.h>

#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "fast/attention.hpp"
#include "fast/gemm.hpp"
#include "fast/scratch.hpp"
#include "fast/softmax.hpp"

namespace attention::wasm {
namespace {

// Room for all numbers of a call: in one place for small ones, else taken and given back, so that no small one splits
// what a large one left.
constexpr std::size_t few = 1 << 14;
alignas(16) float small[few];
std::unique_ptr<float[]> large;
float* floats = small;

// Runs `compute`; says whether there was memory.
template <class Compute>
bool computed(Compute compute) {
  try {
    compute();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::length_error&) {  // what a container says before it would ask for memory
    return false;
  }
}

}  // namespace
}  // namespace attention::wasm

extern "C" {

// Makes room for `count` floats and says where they go, in bytes from the start of memory; 0 when there is no room.
EMSCRIPTEN_KEEPALIVE std::uintptr_t room_for_floats(std::size_t count) {
  using namespace attention::wasm;
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(float)) return 0;
  floats = small;
  if (count > few) {
    large.reset(new (std::nothrow) float[count]);
    floats = large.get();
  }
  return reinterpret_cast<std::uintptr_t>(floats);
}

// When the answer has been taken.
EMSCRIPTEN_KEEPALIVE void release_floats() { attention::wasm::large.reset(); }

// softmax(Q·Kᵀ·scale)·V of each head, of Q, K and V as fast::HeadsLayout says; the output follows them. `causal`: the
// top left corner. Says whether there was memory, as the others do.
EMSCRIPTEN_KEEPALIVE bool attention_of_floats(std::size_t batches, std::size_t heads, std::size_t kv_heads,
                                              std::size_t n_q, std::size_t n_k, std::size_t d_k, std::size_t d_v,
                                              bool side_by_side, double scale, bool causal) {
  using namespace attention;
  return wasm::computed([&] {
    const fast::HeadsLayout layout{batches, heads, kv_heads, n_q, n_k, d_k, d_v, side_by_side};
    AttentionOptions options;
    options.scale = scale;
    options.sight.causal = causal ? Causal::top_left : Causal::none;
    const float *q = wasm::floats, *k = q + batches * heads * n_q * d_k, *v = k + batches * kv_heads * n_k * d_k;
    fast::attend_heads(layout, options, q, k, v, wasm::floats + (v - q) + batches * kv_heads * n_k * d_v);
  });
}

// a·b of a [rows, depth], b [depth, cols]; the output follows them, [rows, cols].
EMSCRIPTEN_KEEPALIVE bool product_of_floats(std::size_t rows, std::size_t cols, std::size_t depth) {
  using namespace attention;
  return wasm::computed([&] {
    float *a = wasm::floats, *b = a + rows * depth;
    fast::Scratch scratch(fast::gemm_scratch(rows, cols, depth));
    fast::gemm(rows, cols, depth, {a, depth, 1}, {b, cols, 1}, b + depth * cols, cols, false, scratch.take(0));
  });
}

// softmax(x/temperature) of each row of x [rows, length], in its place.
EMSCRIPTEN_KEEPALIVE void softmax_of_floats(std::size_t rows, std::size_t length, double temperature) {
  using attention::wasm::floats;
  attention::fast::softmax_rows(floats, rows, length, temperature, floats);
}
}
