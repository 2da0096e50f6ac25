// Attention of floats over batches and heads, as fast as the machine's vectors go.
#pragma once

#include "core/heads.hpp"

namespace attention::fast {

// What core's streaming_attention answers, in the same memory of O(n·d): blocks of queries meet blocks of keys, whose
// scores never leave the first-level cache (Dao et al. 2022), with the running maximum and sum of Milakov & Gimelshein
// (2018). Blocks that no query of a block may see are left out. Inputs, options and errors are those of core; within
// 5e-7 of the largest size among a row's values v for |scores| ≤ 30. A row that has no finite answer here (it sees
// nothing, or holds ∞ or NaN, be it behind a mask) is computed by core.
Tensor<float> streaming_attention(const HeadInputs<float>& inputs, const AttentionOptions& options);

}  // namespace attention::fast
