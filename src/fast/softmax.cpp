#include "fast/softmax.hpp"

#include <algorithm>
#include <limits>

#include "fast/exp2.hpp"

namespace attention::fast {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Calls visit(vector, place, count) for all numbers of a row, four at a time, the last of them filled up with
// `filling`.
template <class Visit>
void for_each_vector(const float* row, std::size_t length, float filling, Visit visit) {
  std::size_t at = 0;
  for (; at + lanes <= length; at += lanes) visit(load(row + at), at, lanes);
  if (at == length) return;
  float rest[lanes] = {filling, filling, filling, filling};
  std::copy(row + at, row + length, rest);
  visit(load(rest), at, length - at);
}

void put(float* to, Vector vector, std::size_t count) {
  if (count == lanes)
    store(to, vector);
  else
    store_part(to, vector, count);
}

}  // namespace

void softmax_rows(const float* x, std::size_t rows, std::size_t length, double temperature, float* weights) {
  const Exp2 exp2;
  const Vector to_power = all(static_cast<float>(log2_e / temperature));
  for (std::size_t row = 0; row < rows; ++row, x += length, weights += length) {
    Vector most = all(-infinity), total{};
    for_each_vector(x, length, -infinity, [&](Vector score, std::size_t, std::size_t) {
      most = larger(most, score);
    });
    const Vector maximum = all(largest(most));
    for_each_vector(x, length, -infinity, [&](Vector score, std::size_t at, std::size_t count) {
      const Vector weight = exp2.with_subnormals((score - maximum) * to_power);
      total += weight;
      put(weights + at, weight, count);
    });
    const Vector share = all(1 / sum(total));
    for_each_vector(weights, length, 0, [&](Vector weight, std::size_t at, std::size_t count) {
      put(weights + at, weight * share, count);
    });
  }
}

}  // namespace attention::fast
