// Scaled dot-product attention as a tape (Vaswani et al. 2017, eq. 1):
//
//   Attention(Q, K, V) = softmax(Q·Kᵀ/√d_k) · V
#pragma once

#include <optional>

#include "core/error.hpp"
#include "core/sight.hpp"
#include "core/softmax.hpp"
#include "core/tape.hpp"

namespace attention {

struct AttentionOptions {
  std::optional<double> scale;    // scores are multiplied by it; 1/√d_k when absent
  std::optional<double> softcap;  // scaled scores z become c·tanh(z/c); finite, > 0
  double temperature = 1;         // scores are divided by it; finite, > 0
  SightOptions sight;
  SoftmaxKind softmax = SoftmaxKind::stable;
  bool compare_softmax = false;  // also write the other kind of softmax, keys under "plain/" or "stable/"
  EmptyRow empty_row = EmptyRow::zero;
};

template <class Real>
struct AttentionInputs {
  Matrix<Real> q;                    // [n_q, d_k]
  Matrix<Real> k;                    // [n_k, d_k]
  Matrix<Real> v;                    // [n_k, d_v]
  std::optional<Matrix<Real>> mask;  // [n_q, n_k], 1 = may attend, 0 = may not
  std::optional<Matrix<Real>> bias;  // [n_q, n_k], added to the scaled scores; −∞ forbids
};

// Throws AttentionError with the field at fault.
template <class Real>
void validate_options(const AttentionOptions& options);

// The same, and with both shapes where two do not go together.
template <class Real>
void validate(const AttentionInputs<Real>& inputs, const AttentionOptions& options);

// Which pairs are allowed by mask, bias −∞ and position together: 1 or 0, [n_q, n_k]. Absent when all are.
template <class Real>
std::optional<Matrix<Real>> visible_pairs(const AttentionInputs<Real>& inputs, const AttentionOptions& options);

// Steps of attention that exist already on a tape.
struct AttentionSources {
  StepId q, k, v;
  std::optional<StepId> mask, bias;
};

// Appends the steps scores, scaled, softcapped, biased, masked, tempered, row-max, shifted, exp, row-sum, weights,
// output; softcapped, biased, masked and tempered only when they do something, row-max and shifted only for the stable
// softmax. Returns output. Under the empty-row policies nan and uniform, where a row is empty, the input output-mask
// precedes output.
template <class Real>
StepId record_attention(Tape<Real>& tape, const AttentionSources& sources, const AttentionOptions& options);

// A whole tape: Q, K, V (and mask, bias) as inputs, then record_attention. Each output is within 1e-12 of the formula
// for |scores| ≤ 100 in double. A row in which nothing is allowed becomes what `empty_row` says.
template <class Real>
Tape<Real> attention_tape(const AttentionInputs<Real>& inputs, const AttentionOptions& options);

// Appends attention of a sequence to itself: the input mask where a pair is hidden by `options` or the bias, then
// record_attention of `sources`, which have no mask of their own. Returns output.
template <class Real>
StepId record_self_attention(Tape<Real>& tape, AttentionSources sources, const AttentionOptions& options);

// Attention of a sequence to itself without projections, Q = K = V = X: one input X [n, d].
template <class Real>
Tape<Real> self_attention_tape(const Matrix<Real>& x, const AttentionOptions& options);

}  // namespace attention
