// What engineers ask of the core besides what the lessons ask: registered at the end of the file.
#include "core/alibi.hpp"
#include "core/gelu.hpp"
#include "core/log_softmax.hpp"
#include "core/normalization.hpp"
#include "core/product.hpp"
#include "core/rotary.hpp"
#include "core/softmax.hpp"
#include "fast/gelu.hpp"
#include "fast/normalization.hpp"
#include "fast/product.hpp"
#include "wasm/convert.hpp"

namespace attention::wasm {
namespace {

// Of floats there is a fast form, which fits better than the core's template.
using attention::gelu, attention::layer_norm, attention::matmul;
using fast::gelu, fast::layer_norm, fast::matmul;

val matmul_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const Inputs<decltype(zero)> inputs(request);
      result.set("output", tensor_object(matmul(inputs.tensor("a"), inputs.tensor("b"))));
    });
  });
}

val softmax_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const val options = request["options"];
      auto x = Inputs<decltype(zero)>(request).get("x");
      if (text(options, "infinity") == "limit") x = with_infinity_as_limit(std::move(x));
      result.set("output", tensor_object(softmax_rows(x, options["temperature"].as<double>(), softmax_kind(options))));
    });
  });
}

val log_softmax_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      result.set("output", tensor_object(log_softmax_rows(Inputs<decltype(zero)>(request).get("x"))));
    });
  });
}

val layer_norm_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      using Real = decltype(zero);
      const Inputs<Real> inputs(request);
      const val options = request["options"];
      const NormalizationInputs<Real> given{inputs.tensor("x"), inputs.find_tensor("scale"),
                                            inputs.find_tensor("bias")};
      const LayerNorm<Real> normalized = layer_norm(given, whole(options, "axis"), options["epsilon"].as<double>());
      result.set("output", tensor_object(normalized.output));
      result.set("mean", tensor_object(normalized.mean));
      result.set("invStdDev", tensor_object(normalized.inverse_deviation));
    });
  });
}

val rms_norm_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      const Inputs<decltype(zero)> inputs(request);
      const val options = request["options"];
      result.set("output", tensor_object(rms_norm(inputs.tensor("x"), inputs.find_tensor("scale"),
                                                  whole(options, "axis"), options["epsilon"].as<double>())));
    });
  });
}

val gelu_call(const val& request) {
  static constexpr Named<GeluKind> kinds[] = {{"none", GeluKind::exact}, {"tanh", GeluKind::tanh}};
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      result.set("output", tensor_object(gelu(Inputs<decltype(zero)>(request).tensor("x"),
                                              choice_of(request["options"], "approximate", kinds))));
    });
  });
}

val rotary_call(const val& request) {
  return answer([&](val& result) {
    // Positions stay doubles whatever the precision: a float cannot tell 2²⁴ and 2²⁴ + 1 apart.
    const std::optional<Tensor<double>> positions = Inputs<double>(request).find_tensor("positions");
    const val options = request["options"];
    in_precision(request, [&](auto zero) {
      const Inputs<decltype(zero)> inputs(request);
      result.set("output", tensor_object(rotary<decltype(zero)>(
                               {inputs.tensor("x"), positions, inputs.find_tensor("cos"), inputs.find_tensor("sin")},
                               {options["base"].as<double>(), options["interleaved"].as<bool>(),
                                whole_if_given(options, "rotaryDim"), whole_if_given(options, "heads")})));
    });
  });
}

val alibi_slopes_call(const val& request) {
  return answer([&](val& result) {
    const val options = request["options"];
    in_precision(request, [&](auto zero) {
      result.set("output",
                 tensor_object(alibi_slopes<decltype(zero)>(whole(options, "heads"), options["biasMax"].as<double>())));
    });
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(functions) {
  emscripten::function("matmul", &matmul_call);
  emscripten::function("softmax", &softmax_call);
  emscripten::function("logSoftmax", &log_softmax_call);
  emscripten::function("layerNorm", &layer_norm_call);
  emscripten::function("rmsNorm", &rms_norm_call);
  emscripten::function("gelu", &gelu_call);
  emscripten::function("rotary", &rotary_call);
  emscripten::function("alibiSlopes", &alibi_slopes_call);
}

}  // namespace attention::wasm
