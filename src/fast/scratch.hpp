// Memory of one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

namespace attention::fast {

// Room for `count` floats: in one place for all calls where that is enough, so that a call on small inputs takes no
// memory; else taken and given back. One at a time, so on one thread. Throws std::bad_alloc where memory has no such
// size, which is why `count` is wider than sizes are in WebAssembly.
class Scratch {
 public:
  explicit Scratch(std::uint64_t count)
      : large_(count > kept ? new float[size_of(count)] : nullptr), next_(large_ ? large_.get() : small_) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // The next `count` of them.
  float* take(std::size_t count) {
    float* const taken = next_;
    next_ += count;
    return taken;
  }

  // Where an even number of floats was taken before.
  double* take_doubles(std::size_t count) { return reinterpret_cast<double*>(take(2 * count)); }

 private:
  static std::size_t size_of(std::uint64_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(float)) throw std::bad_alloc();
    return static_cast<std::size_t>(count);
  }

  static constexpr std::size_t kept = 3 << 13;
  alignas(16) static inline float small_[kept];

  const std::unique_ptr<float[]> large_;  // not full of zeros, which would take a twentieth of a product
  float* next_;
};

}  // namespace attention::fast
