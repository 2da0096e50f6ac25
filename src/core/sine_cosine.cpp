#include "core/sine_cosine.hpp"

#include <cmath>

namespace attention {

namespace {

constexpr double half_pi = 1.5707963267948966;
constexpr double half_pi_rest = 6.123233995736766e-17;  // π/2 − half_pi

// 1 − z/(first·(first+1))·(1 − z/((first+2)·(first+3))·(…)), nine terms.
double alternating_series(double z, int first) {
  double sum = 1;
  for (int n = first + 16; n >= first; n -= 2) sum = 1 - sum * z / (n * (n + 1));
  return sum;
}

}  // namespace

SineCosine sine_cosine(double angle) {
  int quarters = 0;
  const double remainder = std::remquo(angle, half_pi, &quarters);
  const double r = remainder - std::nearbyint(angle / half_pi) * half_pi_rest;
  const double sine = r * alternating_series(r * r, 2), cosine = alternating_series(r * r, 1);
  switch (quarters & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
  }
}

}  // namespace attention
