// What the lessons ask of the core: one coarse call for each question, registered at the end of the file.
#include "core/attention.hpp"
#include "core/gradient.hpp"
#include "core/positional.hpp"
#include "core/recurrent.hpp"
#include "core/softmax.hpp"
#include "wasm/convert.hpp"

namespace attention::wasm {
namespace {

template <class Real>
StepId step_named(const Tape<Real>& tape, const std::string& key, const char* field) {
  if (const std::optional<StepId> id = tape.find(key)) return *id;
  throw AttentionError("no-such-step", field, "there is no step '" + key + "'");
}

// The tape that a request describes, with its gradient where it asks for one. There are no handles: a later question
// about the same tape brings the same request again.
template <class Real>
Tape<Real> tape_of(const val& request) {
  using Recipe = Tape<Real> (*)(const Inputs<Real>& inputs, const val& options);
  static constexpr Named<Recipe> recipes[] = {
      {"attention",
       [](const Inputs<Real>& inputs, const val& options) {
         return attention_tape(attention_inputs(inputs), attention_options(options));
       }},
      {"self-attention",
       [](const Inputs<Real>& inputs, const val& options) {
         return self_attention_tape(inputs.get("X"), attention_options(options));
       }},
      {"positional",
       [](const Inputs<Real>& inputs, const val& options) {
         return positional_tape(inputs.get("X"), position_options(options), attention_options(options));
       }},
      {"recurrent",
       [](const Inputs<Real>& inputs, const val& options) {
         return recurrent_tape(inputs.get("x"), options["w"].as<double>());
       }},
      {"softmax",
       [](const Inputs<Real>& inputs, const val& options) {
         return softmax_tape(inputs.get("x"), softmax_options(options));
       }},
  };
  Tape<Real> tape = choice_of(request, "recipe", recipes)(Inputs<Real>(request), request["options"]);
  if (has(request, "gradient")) {
    const val gradient = request["gradient"];
    record_gradient(tape, step_named(tape, text(gradient, "key"), "of"), whole(gradient, "row"), whole(gradient, "col"),
                    step_named(tape, text(gradient, "wrt"), "wrt"));
  }
  return tape;
}

// Every step, or the one that `only` names.
val trace(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const Tape<decltype(zero)> tape = tape_of<decltype(zero)>(request);
      val steps = val::array();
      if (has(request, "only"))
        steps.set(0, step_object(tape, step_named(tape, text(request, "only"), "key")));
      else
        for (StepId id = 0; id < tape.steps().size(); ++id) steps.set(id, step_object(tape, id));
      result.set("steps", steps);
    });
  });
}

val explain_cell(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const Tape<decltype(zero)> tape = tape_of<decltype(zero)>(request);
      const StepId id = step_named(tape, text(request, "key"), "key");
      result.set("explanation",
                 explanation_object(tape, explain(tape, id, whole(request, "row"), whole(request, "col"))));
    });
  });
}

val sinusoidal_call(const val& request) {
  return answer([&](val& result) {
    // Positions stay doubles whatever the precision of the encoding: a float cannot tell 2²⁴ and 2²⁴ + 1 apart.
    const Matrix<double> positions = Inputs<double>(request).get("positions");
    const val options = request["options"];
    in_precision(request, [&](auto zero) {
      result.set("output",
                 tensor_object(sinusoidal<decltype(zero)>({positions.begin(), positions.end()},
                                                          whole(options, "dModel"), sinusoidal_options(options))));
    });
  });
}

// Every product of a row of a and a row of b.
val products(const val& request) {
  return answer([&](val& result) {
    const Inputs<double> inputs(request);
    Tape<double> tape;
    const StepId a = tape.input("a", "a", inputs.get("a")), b = tape.input("b", "b", inputs.get("b"));
    result.set("output", tensor_object(tape.value(
                             tape.record(OperationName::matmul, "products", "P", {a, b}, {.transpose_right = true}))));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(lessons) {
  emscripten::function("reserve", &reserve);
  emscripten::function("trace", &trace);
  emscripten::function("explain", &explain_cell);
  emscripten::function("sinusoidal", &sinusoidal_call);
  emscripten::function("products", &products);
}

}  // namespace attention::wasm
