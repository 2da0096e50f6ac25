// Rows brought to one scale.
#pragma once

#include <optional>

#include "core/matrix.hpp"

namespace attention {

// All axes from `axis` to the last are normalised together. scale and bias have the shape of those axes, or one that
// is broadcast to it.
template <class Real>
struct NormalizationInputs {
  Tensor<Real> x;
  std::optional<Tensor<Real>> scale;  // 1 when absent
  std::optional<Tensor<Real>> bias;   // 0 when absent
};

template <class Real>
struct LayerNorm {
  Tensor<Real> output;                   // of the shape of x
  Tensor<Real> mean, inverse_deviation;  // of the shape of x, with 1 from `axis` on
};

// output = (x − mean)/√(variance + epsilon)·scale + bias with the mean and the population variance of each row of n
// numbers (Ba, Kiros & Hinton 2016; ONNX LayerNormalization-17). Before scale and bias, a number of the output is
// within (n + 8)·2⁻⁵³ (float: 2⁻²⁴) of itself or of 1, whichever is larger, however far the row is from 0. A row with
// NaN or ∞, or whose sum is beyond Real, is NaN; one whose squares are beyond Real is 0; one of equal numbers with
// epsilon 0 is NaN, and so is the mean of no numbers. Throws AttentionError for an axis that x does not have, a scale
// or bias that does not fit, and an epsilon that is negative or not finite in Real.
template <class Real>
LayerNorm<Real> layer_norm(const NormalizationInputs<Real>& inputs, std::size_t axis, double epsilon);

// x/√(mean of x² + epsilon)·scale (Zhang & Sennrich 2019; ONNX RMSNormalization-23): no mean is taken off, and there is
// no bias. A number is within (n + 8)·2⁻⁵³ of its size (float: 2⁻²⁴). A row with NaN is NaN, and so is ∞, beside which
// the rest is 0; a row whose squares are beyond Real is 0. Throws as layer_norm does.
template <class Real>
Tensor<Real> rms_norm(const Tensor<Real>& x, const std::optional<Tensor<Real>>& scale, std::size_t axis,
                      double epsilon);

}  // namespace attention
