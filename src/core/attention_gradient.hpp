// The gradients of attention over batches and heads, outside of any tape.
#pragma once

#include <functional>

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
// reach its gradient, whatever it is; a row that sees nothing has a gradient of 0. In double within 1e-12 of the
// largest sum of the sizes of its terms for |scores| ≤ 100. Throws AttentionError as attention_of_heads does, and for
// an output_gradient of another shape and an empty_row that is not zero.
template <class Real>
HeadGradients<Real> attention_gradient_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                                const AttentionOptions& options);

// Of one head, computed in double and rounded when it is added.
template <class Real>
void add_gradient(const Head<Real>& head, const Real* output_gradient, const HeadSums<Real>& sums);

// What adds those of one head to `sums`.
template <class Real>
using AddGradient = std::function<void(const Head<Real>&, const Real* output_gradient, const HeadSums<Real>& sums)>;

// The same with another way to compute a head.
template <class Real>
HeadGradients<Real> gradients_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                       const AttentionOptions& options, const AddGradient<Real>& add);

}  // namespace attention
