// Attention over batches and heads, outside of any tape: every head is computed by the same steps as a tape.
//
// Letters besides those of matrix.hpp: b batch, h heads of queries, g heads of keys and values, n_c keys in the cache.
#pragma once

#include <optional>
#include <vector>

#include "core/attention.hpp"

namespace attention {

template <class Real>
struct HeadInputs {
  Tensor<Real> q;                          // [b, h, n_q, d_k]
  Tensor<Real> k;                          // [b, g, n_k − n_c, d_k]
  Tensor<Real> v;                          // [b, g, n_k − n_c, d_v]
  std::optional<Tensor<Real>> past_key;    // [b, g, n_c, d_k], stands before k
  std::optional<Tensor<Real>> past_value;  // [b, g, n_c, d_v]
  // Both are broadcast from the right to [b, h, n_q, n_k]. With fewer keys than there are, and not 1, the rest is
  // forbidden.
  std::optional<Tensor<Real>> mask;     // 1 = may attend, 0 = may not
  std::optional<Tensor<Real>> bias;     // added to the scaled scores; −∞ forbids
  std::optional<Tensor<Real>> padding;  // [b, n_k] or [1, n_k], 1 = a real key, 0 = none
  std::vector<std::size_t> lengths;     // [b], how many keys are there, from the first; empty when all are
};

enum class Keep { nothing, scaled, softcapped, masked, weights };

template <class Real>
struct HeadResult {
  Tensor<Real> output;                        // [b, h, n_q, d_v]
  std::optional<Tensor<Real>> kept;           // [b, h, n_q, n_k]
  std::optional<Tensor<Real>> present_key;    // [b, g, n_k, d_k], where there was a cache
  std::optional<Tensor<Real>> present_value;  // [b, g, n_k, d_v]
};

// Throws AttentionError with the field at fault and both shapes.
template <class Real>
void validate(const HeadInputs<Real>& inputs, const AttentionOptions& options);

// For each batch and head softmax(softcap(Q·Kᵀ·scale) + bias, masked, /T)·V (Vaswani et al. 2017, 3.2; ONNX Attention
// opset 23 and 24). Heads of keys and values are repeated as 0, 0, 1, 1 (grouped queries: Ainslie et al. 2023), so h
// must be a multiple of g. The offset of a causal mask anchored at the top left is n_c, or the length less n_q where
// lengths are given; a mask anchored at the bottom right, and a window, count the keys that are there. What a query may
// not see does not reach its output, whatever it is. As precise as attention_tape.
template <class Real>
HeadResult<Real> attention_of_heads(const HeadInputs<Real>& inputs, const AttentionOptions& options, Keep keep);

// The same output without the n_q·n_k weights: keys are read once, with a running maximum and a running sum that are
// rescaled when the maximum grows (Milakov & Gimelshein 2018; Rabe & Staats 2021). Memory is O(n·d). The kind of
// softmax is the stable one. Within 1e-12 of attention_of_heads for |scores| ≤ 100 in double.
template <class Real>
Tensor<Real> streaming_attention(const HeadInputs<Real>& inputs, const AttentionOptions& options);

// [b, n, h·d] as [b, h, n, d]: head i has the columns from i·d on. Throws AttentionError, naming `field`, when the
// width is no multiple of h.
template <class Real>
Tensor<Real> split_heads(const Tensor<Real>& packed, std::size_t heads, const char* field);

// And back.
template <class Real>
Tensor<Real> merge_heads(const Tensor<Real>& heads);

}  // namespace attention
