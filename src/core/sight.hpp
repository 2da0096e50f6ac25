// Which keys a query may see by position alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>

namespace attention {

// The corner a causal mask is anchored at: key j is visible to query i when j ≤ i + offset. top_left: the offset is the
// number of keys before the first query, 0 without a cache (PyTorch's and ONNX's is_causal). bottom_right: it is
// n_k − n_q (flash-attention, MLX).
enum class Causal { none, top_left, bottom_right };

// At most so many keys to the left and to the right of the query's own place; no bound when absent.
struct Window {
  std::optional<std::size_t> left, right;
};

struct SightOptions {
  Causal causal = Causal::none;
  std::ptrdiff_t offset = 0;               // for top_left
  std::optional<Window> window = {};       // around i + offset of the causal mask; as bottom_right when there is none
  std::optional<std::size_t> length = {};  // only so many keys, from the first, are there at all
};

// The keys from `first` to before `last`.
struct KeyRange {
  std::size_t first, last;
  bool contains(std::size_t key) const { return first <= key && key < last; }
};

// Whether there is any rule, so that some query may not see all keys.
inline bool hides_keys(const SightOptions& options) {
  return options.causal != Causal::none || options.window || options.length;
}

// What query `query` of n_q sees of n_k keys: all these rules together leave one range.
inline KeyRange keys_in_sight(const SightOptions& options, std::size_t n_q, std::size_t n_k, std::size_t query) {
  const auto end = static_cast<std::ptrdiff_t>(std::min(options.length.value_or(n_k), n_k));
  const std::ptrdiff_t offset =
      options.causal == Causal::top_left ? options.offset : end - static_cast<std::ptrdiff_t>(n_q);
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(query) + offset;
  // No key is farther than this; a wider bound must not overflow the sum.
  const std::size_t farthest = n_q + n_k + static_cast<std::size_t>(std::abs(offset));
  const auto bound = [&](const std::optional<std::size_t>& keys) {
    return static_cast<std::ptrdiff_t>(std::min(*keys, farthest));
  };
  std::ptrdiff_t first = 0, last = end;
  if (options.causal != Causal::none) last = std::min(last, place + 1);
  if (options.window && options.window->left) first = std::max(first, place - bound(options.window->left));
  if (options.window && options.window->right) last = std::min(last, place + bound(options.window->right) + 1);
  if (last <= first) return {0, 0};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

}  // namespace attention
