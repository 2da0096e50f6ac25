// The gradients of attention of floats over batches and heads, as fast as the machine's vectors go.
#pragma once

#include "core/attention_gradient.hpp"

namespace attention::fast {

// What core's attention_gradient_of_heads answers, in memory of O(n·d): weights are computed again block by block, from
// the base and the sum that a first round over the keys left of each row (Dao et al. 2022, algorithm 4). Blocks that no
// query of a block may see are left out. Where s bounds the scores as for attention_of_heads, within 2e-6 + s·2⁻²³ +
// n·2⁻²⁹ of the largest number of a gradient, n the queries that share a key; where terms cancel, there is left: of q
// 1e-7 of |output_gradient|·|v|·scale/temperature times |k|, of k times |q| of all those queries together, of v 2e-7 +
// n·2⁻²⁹ of the sizes of their output gradients together. What is below the normal floats on its way loses digits. A
// head that meets NaN or ∞, or leaves the range of floats on its way, is computed by core.
HeadGradients<float> attention_gradient_of_heads(const HeadInputs<float>& inputs, const Tensor<float>& output_gradient,
                                                 const AttentionOptions& options);

// The same of one head that fits together, added to `sums`, of which that of q is 0.
void add_gradient(const Head<float>& head, const float* output_gradient, const HeadSums<float>& sums);

}  // namespace attention::fast
