// GELU of tensors of floats.
#pragma once

#include "core/gelu.hpp"

namespace attention::fast {

// What core's gelu answers, as precise: each number is computed in double, within 2e-13 of its size, and rounded once.
Tensor<float> gelu(const Tensor<float>& x, GeluKind kind);

}  // namespace attention::fast
