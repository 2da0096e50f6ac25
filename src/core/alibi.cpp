#include "core/alibi.hpp"

#include <bit>
#include <cmath>

#include "core/error.hpp"

namespace attention {

template <class Real>
Tensor<Real> alibi_slopes(std::size_t heads, double bias_max) {
  if (heads == 0 || heads > most_heads)
    throw AttentionError("bad-size", "heads", "heads must be a whole number from 1 to " + std::to_string(most_heads));
  if (!std::isfinite(bias_max) || bias_max <= 0)
    throw AttentionError("bad-bias-max", "biasMax", "biasMax must be a finite number above 0");
  const std::size_t power = std::bit_floor(heads);
  Tensor<Real> result = zeros<Real>({heads});
  for (std::size_t head = 0; head < heads; ++head) {
    // Of 2·power slopes the second, fourth, … are those of `power`; the first, third, … come after them.
    const std::size_t place = head < power ? 2 * head + 2 : 2 * (head - power) + 1;
    result.data()[head] =
        static_cast<Real>(std::exp2(-bias_max * static_cast<double>(place) / static_cast<double>(2 * power)));
  }
  return result;
}

template Tensor<float> alibi_slopes(std::size_t, double);
template Tensor<double> alibi_slopes(std::size_t, double);

}  // namespace attention
