// 2^x, four at a time.
#pragma once

#include "fast/vector.hpp"

namespace attention::fast {

constexpr float log2_e = 1.44269504088896340736f;

// In memory, since engines make constants of vectors anew in every turn of a loop: where 2^x becomes 0, what rounds to
// a whole number when it is added, and the polynomial.
extern const float exp2_numbers[8];

// 2^x = 2^⌊x⌉·2^f, f in [−½, ½], with the polynomial of degree 5 whose largest relative error there is smallest
// (7.5e-8; Remez exchange). Within 2.5e-7 of 2^x relative to it for −126 ≤ x ≤ 127; 0 below −127; NaN of NaN.
class Exp2 {
 public:
  Vector operator()(Vector x) const {
    const Vector bounded = larger(x, lowest_);
    const Vector shifted = bounded + rounding_;
    const Vector fraction = bounded - (shifted - rounding_);
    // The whole number stands in the last bits of `shifted`, which become the exponent: 127 more, for it is biased.
    const Bits exponent = ((Bits)shifted + 127) << 23;
    const Vector polynomial =
        ((((c5_ * fraction + c4_) * fraction + c3_) * fraction + c2_) * fraction + c1_) * fraction + c0_;
    return polynomial * (Vector)exponent;
  }

 private:
  Vector lowest_ = load_all(exp2_numbers), rounding_ = load_all(exp2_numbers + 1);
  Vector c0_ = load_all(exp2_numbers + 2), c1_ = load_all(exp2_numbers + 3), c2_ = load_all(exp2_numbers + 4);
  Vector c3_ = load_all(exp2_numbers + 5), c4_ = load_all(exp2_numbers + 6), c5_ = load_all(exp2_numbers + 7);
};

}  // namespace attention::fast
