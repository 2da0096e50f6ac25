// The operations of the tape, for tapes of floats that are there to be fast.
#pragma once

#include <vector>

#include "core/operation.hpp"

namespace attention::fast {

// Those of core, with products by gemm: Tape<float> tape(fast::operations()). Sums of up to 512 terms run in the same
// order and give the same bits; longer ones are added up in parts of at most 512.
const std::vector<Operation<float>>& operations();

}  // namespace attention::fast
