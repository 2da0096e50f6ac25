// GELU of floats against the core in double, from the same numbers.
#include "fast/gelu.hpp"

#include <cmath>
#include <cstring>

#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

using attention::widened;

// std::bit_cast, which the library of Emscripten 3.1.6 does not have.
template <class To, class From>
To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Both signs of every exponent, subnormal numbers and the ends, with mantissas that lie evenly.
Tensor<float> numbers_of_all_sizes() {
  constexpr std::size_t mantissas = 257;
  Tensor<float> result = zeros<float>({2, 255, mantissas});
  for (std::size_t sign = 0; sign < 2; ++sign)
    for (std::size_t exponent = 0; exponent < 255; ++exponent)
      for (std::size_t i = 0; i < mantissas; ++i)
        result(sign, exponent, i) = same_bits<float>(
            static_cast<std::uint32_t>(sign << 31 | exponent << 23 | i * ((1 << 23) - 1) / (mantissas - 1)));
  return result;
}

Tensor<float> evenly(double low, double high, std::size_t count) {
  Tensor<float> result = zeros<float>({count});
  for (std::size_t i = 0; i < count; ++i)
    result(i) = static_cast<float>(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
  return result;
}

// How many floats lie between the two at most, and how often normal ones are not the same.
struct Apart {
  std::int64_t most = 0;
  std::size_t often = 0;
};

Apart apart(const Tensor<float>& x, GeluKind kind) {
  const Tensor<float> found = fast::gelu(x, kind);
  const Tensor<double> wanted = gelu(widened(x), kind);
  const auto place = [](float number) {
    const auto bits = same_bits<std::int32_t>(number);
    return static_cast<std::int64_t>(bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits);
  };
  Apart result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float rounded = static_cast<float>(wanted.data()[i]);
    if (std::isnan(found.data()[i]) != std::isnan(rounded)) result.most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t distance = std::abs(place(found.data()[i]) - place(rounded));
    result.most = std::max(result.most, distance);
    result.often += distance != 0 && std::isnormal(rounded);
  }
  return result;
}

TEST_CASE("gelu of floats of every size is the core's in double, rounded once", "[fast]") {
  // Where a number in double is within 2e-13 of the middle between two floats, either may be the nearest: half of a
  // subnormal number often is.
  for (const GeluKind kind : {GeluKind::exact, GeluKind::tanh})
    for (const Tensor<float>& x : {numbers_of_all_sizes(), evenly(-16, 16, 400'000), evenly(-15.001, -14.999, 4000),
                                   evenly(14.999, 15.001, 4000), evenly(-13.5, -12.5, 40'000)}) {
      INFO("from " << x.data()[0] << ", kind " << static_cast<int>(kind));
      const Apart found = apart(x, kind);
      CHECK(found.most <= 1);
      CHECK(found.often <= x.size() / 50'000);
    }
}

TEST_CASE("gelu of floats at the ends", "[fast]") {
  const float largest = std::numeric_limits<float>::max();
  for (const GeluKind kind : {GeluKind::exact, GeluKind::tanh}) {
    const Tensor<float> found =
        fast::gelu(tensor<float>({9}, {inf, -inf, nan, largest, -largest, 0, -0.0, 100, -100}), kind);
    CHECK_THAT(flat(found), Same(row<float>({inf, 0, nan, largest, 0, 0, 0, 100, 0})));
    for (const std::size_t i : {1, 4, 6, 8}) CHECK(std::signbit(found(i)));
    CHECK_FALSE(std::signbit(found(5)));
  }
}

TEST_CASE("gelu of any number of floats, whatever its neighbours are", "[fast]") {
  Random random(51);
  for (std::size_t count = 0; count < 20; ++count)
    for (const GeluKind kind : {GeluKind::exact, GeluKind::tanh}) {
      const Tensor<float> x = random.tensor<float>({count}, -9, 9);
      CHECK_THAT(flat(fast::gelu(x, kind)), Same(flat(gelu(x, kind))));
      for (std::size_t at = 0; at < count; ++at) {
        Tensor<float> beside = x;
        beside(at) = static_cast<float>(nan);
        Tensor<float> wanted = fast::gelu(x, kind);
        wanted(at) = static_cast<float>(nan);
        CHECK_THAT(flat(fast::gelu(beside, kind)), Same(flat(wanted)));
      }
    }
  CHECK(shape_of(fast::gelu(zeros<float>({2, 0, 3}), GeluKind::exact)) == Shape{2, 0, 3});
}

}  // namespace
}  // namespace attention
