// softmax over each row: scores become positive parts that sum to 1.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "core/tape.hpp"

namespace attention {

// stable: subtract the row maximum before exp; the weights are the same and exp cannot overflow. plain: by hand.
enum class SoftmaxKind { stable, plain };

// Whether scores can be divided by it: above 0, and neither it nor 1/temperature beyond what Real can hold.
template <class Real>
bool is_temperature(double temperature) {
  const Real divisor = static_cast<Real>(temperature);
  return divisor > 0 && std::isfinite(divisor) && std::isfinite(1 / divisor);
}

// Appends exp(z_ij)/Σ_j exp(z_ij) (Bridle 1990; the row maximum: Blanchard, Higham & Higham 2021): row-max and shifted
// (stable only), exp, row-sum, weights, each key after `prefix` ("" or "plain/"). Returns the weights. z and mask
// [n, m]; a row in which the mask allows nothing becomes what `empty_row` says.
template <class Real>
StepId record_softmax(Tape<Real>& tape, StepId z, std::optional<StepId> mask, SoftmaxKind kind, EmptyRow empty_row,
                      const std::string& prefix = "");

// The kind that `kind` is not, to compare the two: the same steps with keys under "plain/" or "stable/".
template <class Real>
void record_other_softmax(Tape<Real>& tape, StepId z, std::optional<StepId> mask, SoftmaxKind kind, EmptyRow empty_row);

struct SoftmaxOptions {
  double factor = 1;       // scores are multiplied by it
  double shift = 0;        // then it is added to each of them
  double temperature = 1;  // then they are divided by it; 0 is the limit
  SoftmaxKind softmax = SoftmaxKind::stable;
  bool compare_softmax = false;  // also write the other kind of softmax, keys under "plain/" or "stable/"
};

// softmax((factor·x + shift)/T) of each row of x [rows, n] as a tape: x, c (the shift, as an input), multiplied, moved,
// tempered, then record_softmax; c, multiplied, moved and tempered only when they do something. At T = 0 the steps are
// row-max, shifted and weights (1 at the maximum, shared between ties), and there is nothing to compare. Nothing is
// hidden here, so 0/0 and ∞/∞ stay NaN. Throws AttentionError for a factor or shift that is not finite in Real, and
// for T < 0, not finite, or so small that 1/T is infinite.
template <class Real>
Tape<Real> softmax_tape(const Matrix<Real>& x, const SoftmaxOptions& options);

// softmax(x/T) of each row of x [rows, n], outside of any tape. Rows sum to 1 within n·2⁻⁵² in double. T = 0 is the
// limit (1 at the maximum, shared between ties), T = ∞ too (1/n each, not counting −∞). Throws AttentionError for T < 0
// or NaN.
template <class Real>
Matrix<Real> softmax_rows(const Matrix<Real>& x, double temperature, SoftmaxKind kind);

// x with every score of +∞ as the limit of one that grows: its row becomes 0 there and −∞ elsewhere, so that softmax
// gives it everything, shared between several (NNlib). Without this a row with +∞ is NaN (PyTorch, JAX). NaN stays.
template <class Real>
Matrix<Real> with_infinity_as_limit(Matrix<Real> x);

}  // namespace attention
