// What the ways of computing a head ask of it first.
#pragma once

#include "core/head.hpp"
#include "fast/exp2.hpp"
#include "fast/tile.hpp"

namespace attention::fast {

// A float that grows with the row loses what is small beside it, so few numbers are added in one go: so many values,
// and in each lane so many weights; then what came of them.
constexpr std::size_t few_values = 16, few_weights = 8;

// Lengths that all heads of a call share.
struct Lengths {
  explicit Lengths(const Head<float>& head) : n_k(head.n_k), d_k(head.d_k), d_v(head.d_v) {}

  std::size_t n_k, d_k, d_v;
  std::size_t keys() const { return rounded_up(n_k, tile_cols); }
  std::size_t wide() const { return rounded_up(d_v, tile_cols); }
  std::size_t wide_key() const { return rounded_up(d_k, tile_cols); }
};

// Whether scores are scaled products and nothing else.
inline bool are_products(const Head<float>& head) {
  return !head.options.softcap && !head.bias && !head.mask && !head.padding;
}

// What such products are multiplied with, to become powers of two.
inline float power_scale(const Head<float>& head) {
  return static_cast<float>(scale_of(head) * (log2_e / head.options.temperature));
}

}  // namespace attention::fast
