#include "core/gelu.hpp"

#include <cmath>

namespace attention {

namespace {

constexpr double root_of_half = 0.7071067811865476;         // 1/√2
constexpr double root_of_two_over_pi = 0.7978845608028654;  // √(2/π)

// Not as 1 + erf, which is 0 from x = −8.3 on.
double exact(double x) { return x * 0.5 * std::erfc(-x * root_of_half); }

// ½(1 + tanh u) = 1/(1 + e^(−2u)), which does not cancel where tanh is near −1.
double with_tanh(double x) { return x / (1 + std::exp(-2 * root_of_two_over_pi * (x + 0.044715 * x * x * x))); }

}  // namespace

template <class Real>
Tensor<Real> gelu(const Tensor<Real>& x, GeluKind kind) {
  Tensor<Real> result = x;
  Real* cells = result.data();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double each = cells[i];
    const double value = kind == GeluKind::exact ? exact(each) : with_tanh(each);
    cells[i] = static_cast<Real>(each == -infinity<double> ? -0.0 : value);  // −∞·0 would be NaN
  }
  return result;
}

template Tensor<float> gelu(const Tensor<float>&, GeluKind);
template Tensor<double> gelu(const Tensor<double>&, GeluKind);

}  // namespace attention
