// Attention over batches and heads, as one call: registered at the end of the file.
#include "fast/attention.hpp"
#include "fast/attention_gradient.hpp"
#include "wasm/convert.hpp"

namespace attention::wasm {
namespace {

AttentionOptions head_options(const val& options) {
  AttentionOptions result = attention_options(options);
  if (has(options, "window"))
    result.sight.window = {whole_if_given(options["window"], "left"), whole_if_given(options["window"], "right")};
  return result;
}

// A tensor of four axes, or of three with the heads side by side where the option `count` says how many.
template <class Real>
Tensor<Real> heads_of(const val& request, const Inputs<Real>& inputs, const char* name, const char* count) {
  const val options = request["options"];
  return has(options, count) ? split_heads(inputs.tensor(name), whole(options, count), name) : inputs.tensor(name);
}

template <class Real>
HeadInputs<Real> head_inputs(const val& request, const Inputs<Real>& inputs) {
  const val options = request["options"];
  const auto heads = [&](const char* name, const char* count) {
    return heads_of(request, inputs, name, count);
  };
  HeadInputs<Real> result{heads("q", "heads"),           heads("k", "kvHeads"),           heads("v", "kvHeads"),
                          inputs.find_tensor("pastKey"), inputs.find_tensor("pastValue"), inputs.find_tensor("mask"),
                          inputs.find_tensor("bias"),    inputs.find_tensor("padding"),   {}};
  if (has(options, "kvLengths"))
    for (std::size_t batch = 0; batch < whole(options["kvLengths"], "length"); ++batch)
      result.lengths.push_back(options["kvLengths"][batch].template as<std::size_t>());
  return result;
}

template <class Real>
val output_object(const val& request, const Tensor<Real>& output) {
  return tensor_object(has(request["options"], "heads") ? merge_heads(output) : output);
}

Keep kept(const val& request) {
  static constexpr Named<Keep> keeps[] = {{"nothing", Keep::nothing},
                                          {"scaled", Keep::scaled},
                                          {"softcapped", Keep::softcapped},
                                          {"masked", Keep::masked},
                                          {"weights", Keep::weights}};
  return choice_of(request, "keep", keeps);
}

// Steps that are kept are those of a tape; floats without them are computed as fast as they can be.
template <class Real>
HeadResult<Real> result_of(const HeadInputs<Real>& inputs, const AttentionOptions& options, Keep keep) {
  if constexpr (std::is_same_v<Real, float>)
    if (keep == Keep::nothing && options.softmax == SoftmaxKind::stable)
      return fast::attention_of_heads(inputs, options);
  return attention_of_heads(inputs, options, keep);
}

template <class Real>
Tensor<Real> streamed(const HeadInputs<Real>& inputs, const AttentionOptions& options) {
  if constexpr (std::is_same_v<Real, float>)
    return fast::attention_of_heads(inputs, options).output;
  else
    return streaming_attention(inputs, options);
}

val attention_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      using Real = decltype(zero);
      const HeadResult<Real> found =
          result_of(head_inputs(request, Inputs<Real>(request)), head_options(request["options"]), kept(request));
      result.set("output", output_object(request, found.output));
      if (found.kept) result.set("kept", tensor_object(*found.kept));
      if (found.present_key) result.set("presentKey", tensor_object(*found.present_key));
      if (found.present_value) result.set("presentValue", tensor_object(*found.present_value));
    });
  });
}

val streaming_attention_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      using Real = decltype(zero);
      result.set("output", output_object(request, streamed(head_inputs(request, Inputs<Real>(request)),
                                                           head_options(request["options"]))));
    });
  });
}

// Of floats there is a fast form, which fits better than the core's template.
using attention::attention_gradient_of_heads;
using fast::attention_gradient_of_heads;

val attention_gradient_call(const val& request) {
  return answer([&](val& result) {
    in_precision(request, [&](auto zero) {
      using Real = decltype(zero);
      const Inputs<Real> inputs(request);
      const HeadGradients<Real> found = attention_gradient_of_heads(
          head_inputs(request, inputs), heads_of(request, inputs, "outputGradient", "heads"),
          head_options(request["options"]));
      for (const auto& [name, gradient] : {std::pair("q", &found.q), {"k", &found.k}, {"v", &found.v}})
        result.set(name, output_object(request, *gradient));
    });
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(heads) {
  emscripten::function("attention", &attention_call);
  emscripten::function("streamingAttention", &streaming_attention_call);
  emscripten::function("attentionGradient", &attention_gradient_call);
}

}  // namespace attention::wasm
