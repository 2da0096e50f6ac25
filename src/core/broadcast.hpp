// Shapes that meet: axes are compared from the right, and a length of 1 stands for any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/matrix.hpp"

namespace attention {

// As many numbers as one tensor may have.
constexpr std::size_t most_numbers = (std::size_t(1) << 31) - 1;

// Whether a tensor may have this shape: a product of lengths that went round would reserve less than is written.
inline bool fits(const std::vector<std::size_t>& shape) {
  std::size_t cells = 1;
  for (std::size_t length : shape) {
    if (length > most_numbers / cells) return false;
    cells *= std::max<std::size_t>(length, 1);
  }
  return true;
}

// The shape that both become, into `shape`; false when they do not fit.
inline bool broadcast_shape(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b,
                            std::vector<std::size_t>& shape) {
  shape.assign(std::max(a.size(), b.size()), 1);
  const auto length = [&](const std::vector<std::size_t>& of, std::size_t axis) {
    return axis + of.size() < shape.size() ? 1 : of[axis + of.size() - shape.size()];
  };
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::size_t left = length(a, axis), right = length(b, axis);
    if (left != right && left != 1 && right != 1) return false;
    shape[axis] = left == 1 ? right : left;
  }
  return true;
}

// Where the numbers of a tensor `from` stand for a larger one: the place there of every place in `to`, both row-major.
class Broadcast {
 public:
  Broadcast(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to)
      : to_(to), strides_(to.size(), 0) {
    std::size_t stride = 1;
    for (std::size_t back = 1; back <= from.size(); ++back) {
      const std::size_t length = from[from.size() - back];
      if (length != 1) strides_[to.size() - back] = stride;
      stride *= length;
    }
  }

  std::size_t operator()(std::size_t place) const {
    std::size_t there = 0;
    for (std::size_t back = 1; back <= to_.size(); ++back) {
      const std::size_t axis = to_.size() - back;
      there += place % to_[axis] * strides_[axis];
      place /= to_[axis];
    }
    return there;
  }

 private:
  std::vector<std::size_t> to_;
  std::vector<std::size_t> strides_;
};

}  // namespace attention
