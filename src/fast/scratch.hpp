// Memory of one call.
#pragma once

#include <cstddef>
#include <vector>

namespace attention::fast {

// Room for `count` floats, at a multiple of 16 bytes: in one place for all calls where that is enough, so that a call
// on small inputs takes no memory; else taken and given back. One at a time.
class Scratch {
 public:
  explicit Scratch(std::size_t count)
      : large_(count > kept ? count : 0), next_(large_.empty() ? small_ : large_.data()) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // The next `count` of them.
  float* take(std::size_t count) {
    float* const taken = next_;
    next_ += count;
    return taken;
  }

 private:
  static constexpr std::size_t kept = 1 << 14;
  alignas(16) static inline float small_[kept];

  std::vector<float> large_;
  float* next_;
};

}  // namespace attention::fast
