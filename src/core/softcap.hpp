// A cap that scores cannot grow beyond, and that leaves small ones as they are.
#pragma once

#include <algorithm>
#include <cmath>

namespace attention {

// tanh y = (e^(2y) − 1)/(e^(2y) + 1), by what softmax and the encodings have already: the C library's own would bring
// another exponential into what every visitor loads. The numerator does not cancel, since log1p gives back the error of
// power − 1 (Kahan). Within 8·2⁻⁵³ of its size; beyond 20 it is ±1.
inline double hyperbolic_tangent(double y) {
  const double doubled = 2 * std::min(std::abs(y), 20.);
  const double power = std::exp(doubled);
  const double numerator = power == 1 ? doubled : (power - 1) * doubled / std::log1p(power - 1);
  return std::copysign(numerator / (numerator + 2), y);
}

// c·tanh(x/c) (Gemma Team 2024), c above 0; NaN stays.
template <class Real>
Real softcapped(Real x, Real cap) {
  return cap * static_cast<Real>(hyperbolic_tangent(static_cast<double>(x / cap)));
}

// The same with its slope, 1 − tanh²(x/c).
template <class Real>
struct Softcapped {
  Real value, slope;
};

template <class Real>
Softcapped<Real> softcapped_with_slope(Real x, Real cap) {
  const double share = hyperbolic_tangent(static_cast<double>(x / cap));
  return {cap * static_cast<Real>(share), static_cast<Real>((1 - share) * (1 + share))};
}

}  // namespace attention
