#include "fast/normalization.hpp"

#include <cmath>

#include "core/normalized_rows.hpp"
#include "fast/vector.hpp"

namespace attention::fast {

namespace {

// Takes `mean` off every number of a row; answers the sum of what is left, `of` each.
template <class Of>
float centred(float* cells, std::size_t length, float mean, Of of) {
  const Vector means = all(mean);
  // Two of them, since every addition waits for the one before.
  Vector sums[2] = {};
  std::size_t at = 0;
  for (; at + 2 * lanes <= length; at += 2 * lanes) {
#pragma clang loop unroll(full)
    for (std::size_t half = 0; half < 2; ++half) {
      const Vector difference = load(cells + at + half * lanes) - means;
      store(cells + at + half * lanes, difference);
      sums[half] += of(difference);
    }
  }
  float total = sum(sums[0] + sums[1]);
  for (; at < length; ++at) {
    cells[at] -= mean;
    total += of(all(cells[at]))[0];
  }
  return total;
}

RowStatistics<float> normalize(float* cells, std::size_t length, const float* scale, const float* bias, float epsilon) {
  const auto itself = [](Vector x) {
    return x;
  };
  const auto square = [](Vector x) {
    return x * x;
  };
  const float n = static_cast<float>(length);
  const float mean = centred(cells, length, 0, itself) / n;
  // The mean is rounded; what that leaves in the differences is their own mean, as in the core.
  const float rest = centred(cells, length, mean, itself) / n;
  const float inverse_deviation = 1 / std::sqrt(centred(cells, length, rest, square) / n + epsilon);

  const Vector factor = all(inverse_deviation);
  std::size_t at = 0;
  for (; at + lanes <= length; at += lanes)
    store(cells + at, load(cells + at) * factor * load(scale + at) + load(bias + at));
  for (; at < length; ++at) cells[at] = cells[at] * inverse_deviation * scale[at] + bias[at];
  return {mean + rest, inverse_deviation};
}

}  // namespace

LayerNorm<float> layer_norm(const NormalizationInputs<float>& inputs, std::size_t axis, double epsilon) {
  return layer_norm_by(inputs, axis, epsilon, normalize);
}

}  // namespace attention::fast
