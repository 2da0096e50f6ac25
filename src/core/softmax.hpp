// softmax over each row: scores become positive parts that sum to 1.
#pragma once

#include <optional>
#include <string>

#include "core/tape.hpp"

namespace attention {

// stable: subtract the row maximum before exp; the weights are the same and exp cannot overflow. plain: by hand.
enum class SoftmaxKind { stable, plain };

// Appends exp(z_ij)/Σ_j exp(z_ij) (Bridle 1990; the row maximum: Blanchard, Higham & Higham 2021): row-max and shifted
// (stable only), exp, row-sum, weights, each key after `prefix` ("" or "plain/"). Returns the weights. z and mask
// [n, m]; a row in which the mask allows nothing becomes what `empty_row` says.
template <class Real>
StepId record_softmax(Tape<Real>& tape, StepId z, std::optional<StepId> mask, SoftmaxKind kind, EmptyRow empty_row,
                      const std::string& prefix = "");

// softmax(x/T) of each row of x [rows, n], outside of any tape. Rows sum to 1 within n·2⁻⁵² in double. T = 0 is the
// limit (1 at the maximum, shared between ties), T = ∞ too (1/n each, not counting −∞). Throws AttentionError for T < 0
// or NaN.
template <class Real>
Matrix<Real> softmax_rows(const Matrix<Real>& x, double temperature, SoftmaxKind kind);

}  // namespace attention
