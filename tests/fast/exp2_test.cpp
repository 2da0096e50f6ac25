// 2^x against the C library, in steps that meet every fraction.
#include "fast/exp2.hpp"

#include <cmath>
#include <limits>

#include "core/all_close.hpp"

namespace attention::fast {
namespace {

TEST_CASE("2^x is within 1.8e-7 of its size", "[fast]") {
  const Exp2 exp2;
  double largest = 0;
  const auto check_at = [&](float x) {
    const Vector found = exp2(Vector{x, 0, -200, x});
    const double wanted = std::exp2(static_cast<double>(x));
    for (const float power : {found[0], found[3]}) largest = larger_or_nan(largest, std::abs(power / wanted - 1));
  };
  for (float x = -126; x <= 127; x += 0.00137f) check_at(x);
  for (int step = -(1 << 19); step <= 1 << 19; ++step) check_at(static_cast<float>(step) * 0x1p-19f);
  CHECK(largest < 1.8e-7);
}

TEST_CASE("2^x of whole numbers is exact", "[fast]") {
  const Exp2 exp2;
  bool are_exact = true;
  for (int n = -126; n <= 127; ++n)
    for (const Vector found : {exp2(all(static_cast<float>(n))), exp2.with_subnormals(all(static_cast<float>(n)))})
      are_exact = are_exact && found[0] == std::ldexp(1.0f, n);
  for (int n = -149; n < -126; ++n)
    are_exact = are_exact && exp2.with_subnormals(all(static_cast<float>(n)))[0] == std::ldexp(1.0f, n);
  CHECK(are_exact);
}

TEST_CASE("raised powers are powers of what is larger by as much", "[fast]") {
  const Exp2 exp2, raised(28);
  bool are_exact = true;
  for (float x = -154; x <= 99; x += 0.25f) are_exact = are_exact && raised(all(x))[0] == exp2(all(x + 28))[0];
  CHECK(are_exact);
  CHECK(raised(all(-std::numeric_limits<float>::infinity()))[0] == 0);
}

TEST_CASE("subnormal numbers have the digits that a float has", "[fast]") {
  const Exp2 exp2;
  for (float x = -150; x <= 127; x += 0.0137f) {
    const double wanted = std::exp2(static_cast<double>(x)), found = exp2.with_subnormals(Vector{x, x, x, x})[0];
    INFO(x);
    CHECK(std::abs(found - wanted) <= 1.8e-7 * wanted + 0x1p-150);
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
  const Vector at_the_end =
      Exp2()(Vector{std::nextafter(-126.5f, 0.0f), -126.5f, std::nextafter(-126.5f, -127.0f), -127});
  CHECK(at_the_end[0] > 0);
  for (const std::size_t lane : {1, 2, 3}) CHECK(at_the_end[lane] == 0);
}

}  // namespace
}  // namespace attention::fast
