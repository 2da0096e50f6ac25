// 2^x, four at a time.
#pragma once

#include "fast/vector.hpp"

namespace attention::fast {

constexpr float log2_e = 1.44269504088896340736f;

// In memory, since engines make constants of vectors anew in every turn of a loop: what rounds to a whole number when
// it is added and puts it beside the bias of exponents, the polynomial, and where 2^x becomes 0 without and with
// subnormal numbers.
extern const float exp2_numbers[9];

// 2^x = 2^⌊x⌉·2^f, f in [−½, ½], with a polynomial of degree 5 that is 1 at 0 and within 9.4e-8 of 2^f, next to the
// smallest that such a one can reach (Remez exchange, then a search among floats). Within 1.8e-7 of 2^x relative to it
// for −126 ≤ x ≤ 127, and exact where x is whole; NaN of NaN.
class Exp2 {
 public:
  // `normal` and () answer 2^(x + raised), with limits of x that are lower by as much.
  explicit Exp2(float raised = 0)
      : rounding_(load_all(exp2_numbers) + all(raised)), lowest_(load_all(exp2_numbers + 7) - all(raised)) {}

  static constexpr float least_normal = -126;
  // That of the exponents of floats.
  static constexpr std::int32_t bias = 127;

  // For −126 ≤ x ≤ 127 alone.
  Vector normal(Vector x) const {
    const Vector shifted = x + rounding_;
    // The whole number and the bias of an exponent stand in the last bits of `shifted`.
    return polynomial(x - (shifted - rounding_)) * power((Bits)shifted);
  }

  // 0 from −126.5 on.
  Vector operator()(Vector x) const { return normal(larger(x, lowest_)); }

  // Below −126 as well, with the digits that a float has there; 0 below −150.
  Vector with_subnormals(Vector x) const {
    const Vector bounded = larger(x, lowest_subnormal_);
    const Vector shifted = bounded + rounding_;
    const Bits whole = (Bits)shifted - (Bits)rounding_, half = whole >> 1;
    return polynomial(bounded - (shifted - rounding_)) * power(half + bias) * power(whole - half + bias);
  }

 private:
  Vector polynomial(Vector f) const {
    const Vector square = f * f;
    return (((c5_ * f + c4_) * square + (c3_ * f + c2_)) * square + c1_ * f) + c0_;
  }

  // 2^n by its exponent n + bias, from 0 to 255; bits above the ninth do not count.
  static Vector power(Bits exponent) { return (Vector)(exponent << 23); }

  const Vector rounding_, lowest_;
  Vector c0_ = load_all(exp2_numbers + 1), c1_ = load_all(exp2_numbers + 2), c2_ = load_all(exp2_numbers + 3);
  Vector c3_ = load_all(exp2_numbers + 4), c4_ = load_all(exp2_numbers + 5), c5_ = load_all(exp2_numbers + 6);
  Vector lowest_subnormal_ = load_all(exp2_numbers + 8);
};

}  // namespace attention::fast
