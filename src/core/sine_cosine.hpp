// Sine and cosine of one angle together. The C library's own would bring four kilobytes into what every visitor loads,
// most of it a table of the digits of 2/π for angles that no position reaches.
#pragma once

namespace attention {

struct SineCosine {
  double sine, cosine;
};

// The angle is in radians and finite. Reduced to [−π/4, π/4] by an exact remainder of the double next to π/2, which is
// then mended by what π/2 has beyond that double (Cody & Waite 1980); there the Taylor series to r¹⁷ and r¹⁸ leave out
// less than 2⁻⁶³. Within 4·10⁻¹⁶ for |angle| ≤ 10⁶; beyond, the error grows as 10⁻³²·|angle|.
SineCosine sine_cosine(double angle);

}  // namespace attention
