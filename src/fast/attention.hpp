// Attention of floats over batches and heads, as fast as the machine's vectors go.
#pragma once

#include "core/head.hpp"

namespace attention::fast {

// What core's attention_of_heads answers where no step is kept, in memory of O(n·d): blocks of queries meet blocks of
// keys, whose scores never leave the first-level cache (Dao et al. 2022), with the running maximum and sum of Milakov &
// Gimelshein (2018). Blocks that no query of a block may see are left out. Inputs, options and errors are those of
// core. Where s bounds the scores, (√d_k·|q|·|k|·scale + |bias|)/temperature, within (6e-7 + s·2⁻²⁴) of the largest
// value, however many keys there are: of larger scores a float has fewer digits behind the point. A row that sees no
// key, or ∞ or NaN, or leaves the range of floats on its way, is computed by core, but for a score that is −∞ on its
// way, which weighs nothing; what it may not see changes no bit of it. Up to 64 keys without mask, bias or cap are all
// met at once (few_keys.hpp).
HeadResult<float> attention_of_heads(const HeadInputs<float>& inputs, const AttentionOptions& options);

// Lengths of queries [batches, heads, n_q, d_k], keys [batches, kv_heads, n_k, d_k] and values [batches, kv_heads, n_k,
// d_v]; or, `side_by_side`, [batches, tokens, heads·columns]; at least 1 each. Several heads of queries may share one
// of keys.
struct HeadsLayout {
  std::size_t batches, heads, kv_heads, n_q, n_k, d_k, d_v;
  bool side_by_side;
};

// The same where nothing but these options is given, of numbers that lie as a caller has them: `output` lies as the
// queries do.
void attend_heads(const HeadsLayout& layout, const AttentionOptions& options, const float* q, const float* k,
                  const float* v, float* output);

}  // namespace attention::fast
