// Products of tensors of floats.
#pragma once

#include "core/matrix.hpp"

namespace attention::fast {

// What core's matmul answers, by NumPy's rules, with its errors; as precise as gemm.
Tensor<float> matmul(const Tensor<float>& a, const Tensor<float>& b);

}  // namespace attention::fast
