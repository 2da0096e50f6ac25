// Attention of many heads of floats that lie as a caller has them.
#pragma once

#include <cstddef>

#include "core/attention.hpp"

namespace attention::fast {

// Lengths of queries [batches, heads, n_q, d_k], keys [batches, kv_heads, n_k, d_k] and values [batches, kv_heads, n_k,
// d_v]; or, `side_by_side`, [batches, tokens, heads·columns]. Several heads of queries may share one of keys.
struct HeadsLayout {
  std::size_t batches, heads, kv_heads, n_q, n_k, d_k, d_v;
  bool side_by_side;
};

// attend of each head, into `output`, which lies as the queries do.
void attend_heads(const HeadsLayout& layout, const AttentionOptions& options, const float* q, const float* k,
                  const float* v, float* output);

}  // namespace attention::fast
