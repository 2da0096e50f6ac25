// Layer normalisation of tensors of floats.
#pragma once

#include "core/normalization.hpp"

namespace attention::fast {

// What core's layer_norm answers, with its errors; as precise.
LayerNorm<float> layer_norm(const NormalizationInputs<float>& inputs, std::size_t axis, double epsilon);

}  // namespace attention::fast
