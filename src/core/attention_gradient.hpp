// The gradients of attention over batches and heads, outside of any tape.
#pragma once

#include "core/head.hpp"

namespace attention {

template <class Real>
struct HeadGradients {
  Tensor<Real> q, k, v;  // of the shapes of the inputs
};

// Where those of one head are added: [n_q, d_k], [n_k, d_k], [n_k, d_v].
template <class Real>
struct HeadSums {
  Real *q, *k, *v;
};

// The gradients of Σ output·output_gradient, output_gradient [b, h, n_q, d_v], where output is what attention_of_heads
// answers. Weights are computed row by row from the scores, so that memory is O(n·d). Heads of queries that share keys
// and values add up; what stands in a cache gets none. What a query may not see gets nothing from it, and does not
// reach its gradient, whatever it is; a row that sees nothing has a gradient of 0. In double within 1e-11 of the
// largest sum of the sizes of its terms for |scores| ≤ 100. Throws AttentionError as attention_of_heads does, and for
// an output_gradient of another shape and an empty_row that is not zero.
template <class Real>
HeadGradients<Real> attention_gradient_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                                const AttentionOptions& options);

// Of one head, computed in double and rounded when it is added.
template <class Real>
void add_gradient(const Head<Real>& head, const Real* output_gradient, const HeadSums<Real>& sums);

template <class Real>
void validate(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient, const AttentionOptions& options);

// The last `count` rows of every matrix.
template <class Real>
Tensor<Real> last_rows(const Tensor<Real>& matrices, std::size_t count);

// The same, with add(head, output_gradient, sums) for every head.
template <class Real, class Add>
HeadGradients<Real> gradients_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                       const AttentionOptions& options, Add add) {
  validate(inputs, output_gradient, options);
  const std::optional<Tensor<Real>> all_k = joined(inputs.past_key, inputs.k),
                                    all_v = joined(inputs.past_value, inputs.v);
  const Tensor<Real>&k = all_k ? *all_k : inputs.k, &v = all_v ? *all_v : inputs.v;
  const auto zeros_like = [](const Tensor<Real>& tensor) {
    return zeros<Real>({tensor.shape().begin(), tensor.shape().end()});
  };
  HeadGradients<Real> result{zeros_like(inputs.q), zeros_like(k), zeros_like(v)};
  const std::size_t group = inputs.q.shape(1) / k.shape(1);
  for_each_head(inputs, k, v, options, [&](const Head<Real>& head, std::size_t index) {
    add(head, output_gradient.data() + index * head.n_q * head.d_v,
        HeadSums<Real>{result.q.data() + index * head.n_q * head.d_k,
                       result.k.data() + index / group * head.n_k * head.d_k,
                       result.v.data() + index / group * head.n_k * head.d_v});
  });
  if (all_k) {
    result.k = last_rows(result.k, inputs.k.shape(2));
    result.v = last_rows(result.v, inputs.v.shape(2));
  }
  return result;
}

}  // namespace attention
