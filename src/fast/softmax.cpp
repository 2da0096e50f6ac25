#include "fast/softmax.hpp"

#include <algorithm>
#include <limits>

#include "fast/exp2.hpp"

namespace attention::fast {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Range {
  float least, most;
};

// NaN is passed over.
Range range(const float* row, std::size_t length) {
  // Two of each, since every comparison waits for the one before.
  Vector least[2] = {all(infinity), all(infinity)}, most[2] = {all(-infinity), all(-infinity)};
  std::size_t at = 0;
  for (; at + 2 * lanes <= length; at += 2 * lanes) {
#pragma clang loop unroll(full)
    for (std::size_t half = 0; half < 2; ++half) {
      const Vector scores = load(row + at + half * lanes);
      least[half] = smaller(least[half], scores);
      most[half] = larger(most[half], scores);
    }
  }
  Range found{smallest(smaller(least[0], least[1])), largest(larger(most[0], most[1]))};
  for (; at < length; ++at) {
    if (row[at] < found.least) found.least = row[at];
    if (row[at] > found.most) found.most = row[at];
  }
  return found;
}

// 2^((x − most)·to_power) for the whole vectors of a row, into weights; answers their sum. Beside that, the row before
// is multiplied by its share: engines have time for both at once.
template <class Power>
double powers(const float* x, std::size_t length, Vector most, Vector to_power, float* weights, float* before,
              Vector share, Power power) {
  // A float that grows with the row loses what is small beside it, so few numbers are added in floats.
  constexpr std::size_t few = 8 * lanes;
  double total = 0;
  for (std::size_t first = 0; first < length; first += few) {
    const std::size_t end = std::min(length, first + few);
    Vector part{};
    for (std::size_t at = first; at + lanes <= end; at += lanes) {
      const Vector weight = power((load(x + at) - most) * to_power);
      store(before + at, load(before + at) * share);
      part += weight;
      store(weights + at, weight);
    }
    total += sum(part);
  }
  return total;
}

}  // namespace

void softmax_rows(const float* x, std::size_t rows, std::size_t length, double temperature, float* weights) {
  const Exp2 exp2;
  const auto normal = [&](Vector y) {
    return exp2.normal(y);
  };
  const auto with_subnormals = [&](Vector y) {
    return exp2.with_subnormals(y);
  };
  const Vector to_power = all(static_cast<float>(log2_e / temperature));
  const std::size_t whole = length / lanes * lanes, rest = length - whole;
  // Of the first row there is none before: whatever lies in its own place stays for as long.
  float* before = weights;
  Vector share = all(1);
  for (std::size_t row = 0; row < rows; ++row, x += length, weights += length) {
    const auto [least, most] = range(x, length);
    const Vector maximum = all(most);
    // Most rows need no digits below the normal numbers, and are done in half the time.
    const bool is_normal = (least - most) * to_power[0] >= Exp2::least_normal;
    double total = is_normal ? powers(x, length, maximum, to_power, weights, before, share, normal)
                             : powers(x, length, maximum, to_power, weights, before, share, with_subnormals);
    float last[lanes] = {-infinity, -infinity, -infinity, -infinity};
    std::copy(x + whole, x + length, last);
    const Vector weight = with_subnormals((load(last) - maximum) * to_power);
    if (rest > 0) total += sum(weight);

    share = all(static_cast<float>(1 / total));
    if (rest > 0) store_part(weights + whole, weight * share, rest);
    before = weights;
  }
  if (rows == 0) return;
  for (std::size_t at = 0; at < whole; at += lanes) store(before + at, load(before + at) * share);
}

}  // namespace attention::fast
