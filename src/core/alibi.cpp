#include "core/alibi.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.hpp"

namespace attention {

namespace {

constexpr double ln_2 = 0.6931471805599453;

// By e^x, which softmax has already: exp2 would bring a table of its own into what every visitor loads.
double power_of_two(double exponent) {
  const double whole = std::floor(exponent);
  double power = std::exp((exponent - whole) * ln_2);
  for (double half = std::max(whole, -1100.); half < 0; ++half) power /= 2;
  return power;
}

}  // namespace

double alibi_slope(std::size_t heads, std::size_t head, double bias_max) {
  if (heads == 0 || heads > most_heads)
    throw AttentionError("bad-size", "heads", "heads must be a whole number from 1 to 65536");
  if (head >= heads) throw AttentionError("no-such-head", "head", "head must be a whole number below heads");
  const std::size_t power = std::bit_floor(heads);
  // Of 2·power slopes the second, fourth, … are those of `power`; the first, third, … come after them.
  const std::size_t place = head < power ? 2 * head + 2 : 2 * (head - power) + 1;
  return power_of_two(-bias_max * static_cast<double>(place) / static_cast<double>(2 * power));
}

template <class Real>
Tensor<Real> alibi_slopes(std::size_t heads, double bias_max) {
  if (!std::isfinite(bias_max) || bias_max <= 0)
    throw AttentionError("bad-bias-max", "biasMax", "biasMax must be a finite number above 0");
  alibi_slope(heads, 0, bias_max);  // refuses a number of heads before there is room for it
  Tensor<Real> result = zeros<Real>({heads});
  for (std::size_t head = 0; head < heads; ++head)
    result.data()[head] = static_cast<Real>(alibi_slope(heads, head, bias_max));
  return result;
}

template Tensor<float> alibi_slopes(std::size_t, double);
template Tensor<double> alibi_slopes(std::size_t, double);

}  // namespace attention
