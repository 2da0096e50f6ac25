// Operands of a product in the order in which tiles read them.
#pragma once

#include <algorithm>

#include "fast/vector.hpp"

namespace attention::fast {

// Panels of `width` lines of a matrix, one after the other: panel [depth, width], the last filled up with zeros. The
// number of line i at step k is at from[i·along + k·down].
template <std::size_t width>
void pack_panels(const float* from, std::size_t along, std::size_t down, std::size_t lines, std::size_t depth,
                 float* to) {
  for (std::size_t first = 0; first < lines; first += width) {
    const std::size_t here = std::min(width, lines - first);
    const float* source = from + first * along;
    if (here == width && along == 1) {
      for (std::size_t step = 0; step < depth; ++step, source += down, to += width)
        for (std::size_t at = 0; at < width; at += lanes) store(to + at, load(source + at));
    } else {
      for (std::size_t step = 0; step < depth; ++step, source += down, to += width)
        for (std::size_t at = 0; at < width; ++at) to[at] = at < here ? source[at * along] : 0;
    }
  }
}

}  // namespace attention::fast
