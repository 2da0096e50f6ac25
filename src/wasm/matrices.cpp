// Attention of three matrices of floats, for calls so small that what surrounds them is most of their time: no objects
// cross the boundary, only numbers, and names that start with `_` are the exports of WebAssembly itself.
#include <emscripten/emscripten.h>

#include <new>
#include <vector>

#include "fast/attention.hpp"

namespace attention::wasm {
namespace {

std::vector<float> floats;

}  // namespace
}  // namespace attention::wasm

extern "C" {

// Makes room for `count` floats and says where they go, in bytes from the start of memory; 0 when there is no room.
EMSCRIPTEN_KEEPALIVE std::uintptr_t room_for_floats(std::size_t count) {
  try {
    attention::wasm::floats.resize(count);
    return reinterpret_cast<std::uintptr_t>(attention::wasm::floats.data());
  } catch (const std::exception&) {
    return 0;
  }
}

// softmax(Q·Kᵀ·scale)·V of what was written there: Q [n_q, d_k], K [n_k, d_k], V [n_k, d_v]; the output follows them,
// [n_q, d_v]. `causal`: the top left corner. Says whether there was memory.
EMSCRIPTEN_KEEPALIVE bool attention_of_floats(std::size_t n_q, std::size_t n_k, std::size_t d_k, std::size_t d_v,
                                              double scale, bool causal) {
  using namespace attention;
  try {
    const float *q = wasm::floats.data(), *k = q + n_q * d_k, *v = k + n_k * d_k;
    Head<float> head{n_q, n_k, d_k, d_v, q, k, v, {std::nullopt, 0, 0}, {std::nullopt, 0, 0}, nullptr, {}};
    head.options.scale = scale;
    head.options.sight.causal = causal ? Causal::top_left : Causal::none;
    fast::attend(head, wasm::floats.data() + n_q * d_k + n_k * (d_k + d_v));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}
}
