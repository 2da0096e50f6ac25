// Sine and cosine against the C library's, which rounds within one unit of the last place, and against their own laws.
#include "core/sine_cosine.hpp"

#include <cmath>
#include <random>

#include "catch.hpp"

using attention::sine_cosine;
using attention::SineCosine;

TEST_CASE("sine and cosine are those of the C library", "[sine_cosine]") {
  std::mt19937 seeded(20171206);  // seed: the day of the paper at its conference
  for (double largest : {1.0, 100.0, 1e4, 1e6}) {
    std::uniform_real_distribution<double> angles(-largest, largest);
    for (int i = 0; i < 20000; ++i) {
      const double angle = angles(seeded);
      const SineCosine both = sine_cosine(angle);
      INFO("angle " << angle);
      REQUIRE(std::abs(both.sine - std::sin(angle)) <= 4e-16);
      REQUIRE(std::abs(both.cosine - std::cos(angle)) <= 4e-16);
    }
  }
}

TEST_CASE("sine and cosine at whole numbers, quarters and halves", "[sine_cosine]") {
  CHECK(sine_cosine(0).sine == 0);
  CHECK(sine_cosine(0).cosine == 1);
  for (int k = -5000; k <= 5000; ++k)
    for (double angle : {double(k), k * 0.25 * 3.141592653589793, k * 0.5}) {
      const SineCosine both = sine_cosine(angle);
      INFO("angle " << angle);
      REQUIRE(std::abs(both.sine - std::sin(angle)) <= 4e-16);
      REQUIRE(std::abs(both.cosine - std::cos(angle)) <= 4e-16);
    }
}

TEST_CASE("sine and cosine lie on the unit circle, and turn round with the sign", "[sine_cosine]") {
  for (double angle : {1e-300, 1e-9, 0.3, 0.7853981633974483, 1.0, 22.0, 355.0, 1e5, 123456789.0}) {
    const SineCosine there = sine_cosine(angle), back = sine_cosine(-angle);
    CHECK(std::abs(there.sine * there.sine + there.cosine * there.cosine - 1) <= 1e-15);
    CHECK(back.sine == -there.sine);
    CHECK(back.cosine == there.cosine);
  }
}
