// Operands of a product in the order in which tiles read them.
#pragma once

#include <algorithm>

#include "fast/vector.hpp"

namespace attention::fast {

// Four steps of four lines, written as four lines of one step each, `width` apart.
inline void transpose(const Vector (&lines)[lanes], float* to, std::size_t width) {
  const auto [a, b, c, d] = lines;
  const Vector ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Vector cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  store(to + width, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  store(to + 2 * width, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store(to + 3 * width, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

// Panels of `width` lines of a matrix, one after the other: panel [depth, width], the last filled up with zeros. The
// number of line i at step k is at from[i·along + k·down], and is multiplied by `factor`. Not copied to each place
// where it is called.
template <std::size_t width>
[[gnu::noinline]] void pack_panels(const float* from, std::size_t along, std::size_t down, std::size_t lines,
                                   std::size_t depth, float* to, float factor = 1) {
  for (std::size_t first = 0; first < lines; first += width, to += depth * width) {
    const std::size_t here = std::min(width, lines - first);
    const float* const source = from + first * along;
    std::size_t step = 0;
    if (here == width && along == 1) {
      for (; step < depth; ++step)
        for (std::size_t at = 0; at < width; at += lanes)
          store(to + step * width + at, load(source + step * down + at) * factor);
    } else if (here == width && down == 1) {
      for (; step + lanes <= depth; step += lanes)
        for (std::size_t at = 0; at < width; at += lanes) {
          const float* const line = source + at * along + step;
          transpose({load(line) * factor, load(line + along) * factor, load(line + 2 * along) * factor,
                     load(line + 3 * along) * factor},
                    to + step * width + at, width);
        }
    }
    for (; step < depth; ++step)
      for (std::size_t at = 0; at < width; ++at)
        to[step * width + at] = at < here ? source[at * along + step * down] * factor : 0;
  }
}

}  // namespace attention::fast
