// softcap is c·tanh(x/c) of the C library, however it is computed.
#include <cmath>

#include "core/all_close.hpp"
#include "core/matrices.hpp"
#include "core/tape.hpp"

namespace attention {
namespace {

double softcapped(double x, double cap) {
  Tape<double> tape;
  const StepId source = tape.input("x", "x", table<double>({{x}}));
  return tape.value(tape.record(OperationName::softcap, "y", "y", {source}, {.factor = cap}))(0, 0);
}

TEST_CASE("softcap is the hyperbolic tangent", "[softcap]") {
  const double close = 4 * std::numeric_limits<double>::epsilon();
  for (double size = 1e-300; size < 1e300; size *= 3.7)
    for (double x : {size, -size}) CHECK(is_close(softcapped(x, 1), std::tanh(x), close, 0));
  for (double x = -25; x <= 25; x += 0.0137) CHECK(is_close(softcapped(x, 3), 3 * std::tanh(x / 3), close, 0));
}

TEST_CASE("softcap at its ends", "[softcap]") {
  CHECK(softcapped(0, 2) == 0);
  CHECK(std::signbit(softcapped(-0., 2)));
  CHECK(softcapped(inf, 2) == 2);
  CHECK(softcapped(-inf, 2) == -2);
  CHECK(softcapped(1e6, 2) == 2);
  CHECK(std::isnan(softcapped(nan, 2)));
}

}  // namespace
}  // namespace attention
