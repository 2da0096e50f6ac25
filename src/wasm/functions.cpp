// What engineers ask of the core besides what the lessons ask: registered at the end of the file.
#include "core/product.hpp"
#include "wasm/convert.hpp"

namespace attention::wasm {
namespace {

val matmul_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const Inputs<decltype(zero)> inputs(request);
      result.set("output", tensor_object(matmul(inputs.tensor("a"), inputs.tensor("b"))));
    });
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(functions) { emscripten::function("matmul", &matmul_call); }

}  // namespace attention::wasm
