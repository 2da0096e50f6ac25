// What engineers ask of the core besides what the lessons ask: registered at the end of the file.
#include "core/attention.hpp"
#include "core/product.hpp"
#include "wasm/convert.hpp"

namespace attention::wasm {
namespace {

val attention_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      using Real = decltype(zero);
      const Tape<Real> tape =
          attention_tape(attention_inputs(Inputs<Real>(request)), attention_options(request["options"]));
      result.set("output", tensor_object(tape.value(*tape.find("output"))));
      if (!has(request, "keep")) return;
      // A step that does nothing is not on the tape; what it would show is the step before it.
      for (const std::string& key : {text(request, "keep"), std::string("biased"), std::string("scaled")})
        if (const std::optional<StepId> kept = tape.find(key)) {
          result.set("kept", tensor_object(tape.value(*kept)));
          return;
        }
    });
  });
}

val matmul_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const Inputs<decltype(zero)> inputs(request);
      result.set("output", tensor_object(matmul(inputs.tensor("a"), inputs.tensor("b"))));
    });
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(functions) {
  emscripten::function("attention", &attention_call);
  emscripten::function("matmul", &matmul_call);
}

}  // namespace attention::wasm
