#include "fast/softmax.hpp"

#include "fast/exp2.hpp"

namespace attention::fast {

namespace {

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

Matrix<float> softmax_rows(const Matrix<float>& x, double temperature) {
  const std::size_t rows = x.shape(0), length = x.shape(1);
  Matrix<float> result = filled<float>(rows, length, 0);
  const Exp2 exp2;
  const Vector to_power = all(static_cast<float>(log2_e / temperature));
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const scores = x.data() + row * length;
    float* const weights = result.data() + row * length;
    Vector most = all(-infinity<float>), total{};
    for_each_vector(scores, length, -infinity<float>, [&](Vector score, std::size_t, std::size_t) {
      most = larger(most, score);
    });
    const Vector maximum = all(largest(most));
    for_each_vector(scores, length, -infinity<float>, [&](Vector score, std::size_t at, std::size_t count) {
      const Vector weight = exp2((score - maximum) * to_power);
      total += weight;
      put(weights + at, weight, count);
    });
    const Vector share = all(1 / sum(total));
    for_each_vector(weights, length, 0, [&](Vector weight, std::size_t at, std::size_t count) {
      put(weights + at, weight * share, count);
    });
  }
  return result;
}

}  // namespace attention::fast
