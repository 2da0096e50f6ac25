// 2^x against the C library, in steps that meet every fraction.
#include "fast/exp2.hpp"

#include <cmath>
#include <limits>

#include "core/all_close.hpp"

namespace attention::fast {
namespace {

TEST_CASE("2^x is within 2.5e-7 of its size", "[fast]") {
  const Exp2 exp2;
  double largest = 0;
  for (float x = -126; x <= 127; x += 0.00137f) {
    const Vector found = exp2(Vector{x, 0, -200, x});
    const double wanted = std::exp2(static_cast<double>(x));
    for (const float power : {found[0], found[3]}) largest = larger_or_nan(largest, std::abs(power / wanted - 1));
  }
  CHECK(largest < 2.5e-7);
}

TEST_CASE("subnormal numbers have the digits that a float has", "[fast]") {
  const Exp2 exp2;
  for (float x = -150; x <= 127; x += 0.0137f) {
    const double wanted = std::exp2(static_cast<double>(x)), found = exp2.with_subnormals(Vector{x, x, x, x})[0];
    INFO(x);
    CHECK(std::abs(found - wanted) <= 2.5e-7 * wanted + 0x1p-150);
  }
  CHECK(exp2.with_subnormals(Vector{-1000, 0, 0, 0})[0] == 0);
}

TEST_CASE("what is too small is 0, and NaN stays", "[fast]") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Vector found = Exp2()(Vector{-128, -1e30f, -infinity, nan});
  CHECK(found[0] == 0);
  CHECK(found[1] == 0);
  CHECK(found[2] == 0);
  CHECK(std::isnan(found[3]));
}

}  // namespace
}  // namespace attention::fast
