// Attention with linear biases: how much each head cares for nearness.
#pragma once

#include <cstddef>

#include "core/matrix.hpp"

namespace attention {

// More heads than this are refused.
constexpr std::size_t most_heads = std::size_t(1) << 16;

// What the scores of head `head`, counted from 0, lose for every token between query and key. For n heads, a power of
// two, 2^(−bias_max·(head + 1)/n); for any other number the slopes of the largest power of two below it, then every
// second slope of twice that power, so that they do not fall all the way (Press, Smith & Lewis 2022, section 3, and the
// authors' get_slopes; bias_max is 8 there). A slope that is a whole power of two is exact, others are within
// (bias_max + 2)·2⁻⁵³ of their size. Finite bias_max > 0. Throws AttentionError for no heads, more than `most_heads`,
// and a head that is none of them.
double alibi_slope(std::size_t heads, std::size_t head, double bias_max = 8);

// Those of all heads, [heads]; float: within 2⁻²⁴ more. Throws AttentionError as
// alibi_slope does, and for a bias_max that is not finite or not above 0.
template <class Real>
Tensor<Real> alibi_slopes(std::size_t heads, double bias_max = 8);

}  // namespace attention
