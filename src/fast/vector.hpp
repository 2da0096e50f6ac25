// Four floats at once: one source for WebAssembly SIMD and for the vector registers of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __wasm__
#include <wasm_simd128.h>
#endif

namespace attention::fast {

constexpr std::size_t lanes = 4;

typedef float Vector __attribute__((vector_size(16)));
typedef std::int32_t Bits __attribute__((vector_size(16)));

// Two doubles, for what a float has too few digits for.
typedef double Doubles __attribute__((vector_size(16)));
typedef std::int64_t LongBits __attribute__((vector_size(16)));

inline Vector load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

inline void store(float* to, Vector vector) { std::memcpy(to, &vector, sizeof vector); }

inline Doubles load(const double* from) {
  Doubles vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

inline void store(double* to, Doubles vector) { std::memcpy(to, &vector, sizeof vector); }

inline Vector all(float value) { return Vector{value, value, value, value}; }

inline Doubles both(double value) { return Doubles{value, value}; }

// The first two of four, the last two, and back, rounded.
inline Doubles first_two(Vector of) { return __builtin_convertvector(__builtin_shufflevector(of, of, 0, 1), Doubles); }
inline Doubles last_two(Vector of) { return __builtin_convertvector(__builtin_shufflevector(of, of, 2, 3), Doubles); }
inline Vector rounded(Doubles first, Doubles last) {
#ifdef __wasm__
  const v128_t low = wasm_f32x4_demote_f64x2_zero((v128_t)first), high = wasm_f32x4_demote_f64x2_zero((v128_t)last);
  return (Vector)wasm_i64x2_shuffle(low, high, 0, 2);
#else
  return Vector{static_cast<float>(first[0]), static_cast<float>(first[1]), static_cast<float>(last[0]),
                static_cast<float>(last[1])};
#endif
}

// The number there, in every lane.
inline Vector load_all(const float* from) {
#ifdef __wasm__
  return (Vector)wasm_v128_load32_splat(from);
#else
  return all(*from);
#endif
}

// Lane by lane b where a < b, else a: a NaN in a stays, one in b is passed over.
inline Vector larger(Vector a, Vector b) {
#ifdef __wasm__
  return (Vector)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
#else
  return a < b ? b : a;
#endif
}

// And b where b < a.
inline Vector smaller(Vector a, Vector b) {
#ifdef __wasm__
  return (Vector)wasm_f32x4_pmin((v128_t)a, (v128_t)b);
#else
  return b < a ? b : a;
#endif
}

// Bits of floats without their signs, in the order of the sizes; those of NaN are the largest.
typedef std::uint32_t SizeBits __attribute__((vector_size(16)));

// Shifted, since engines make the constant that would take the sign away anew each time.
inline SizeBits size_bits(Vector of) { return (SizeBits)of << 1; }

inline SizeBits larger(SizeBits a, SizeBits b) { return a > b ? a : b; }

// Lane by lane a where `which` is set (all bits), else b.
inline Vector choose(Bits which, Vector a, Vector b) { return (Vector)((which & (Bits)a) | (~which & (Bits)b)); }

inline bool any(Bits bits) {
#ifdef __wasm__
  return wasm_v128_any_true((v128_t)bits);
#else
  return (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
#endif
}

inline float sum(Vector vector) { return (vector[0] + vector[1]) + (vector[2] + vector[3]); }

inline float largest(Vector vector) {
  const auto larger_of = [](float a, float b) {
    return a < b ? b : a;
  };
  return larger_of(larger_of(vector[0], vector[1]), larger_of(vector[2], vector[3]));
}

inline float smallest(Vector vector) { return -largest(-vector); }

// The first `count` of four.
inline void store_part(float* to, Vector vector, std::size_t count) { std::memcpy(to, &vector, count * sizeof(float)); }

// Four cells at a time, the last ones together with what lies behind them.
template <class At>
void fill(float* to, std::size_t count, At at) {
  std::size_t cell = 0;
  for (; cell + lanes <= count; cell += lanes) store(to + cell, at(cell));
  if (cell < count) store_part(to + cell, at(cell), count - cell);
}

// 0 where all of these numbers are finite, else NaN.
inline float zero_if_finite(const float* from, std::size_t count) {
  Vector zeros{};
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes) zeros += load(from + at) * all(0);
  float zero = sum(zeros);
  for (; at < count; ++at) zero += from[at] * 0;
  return zero;
}

constexpr std::size_t rounded_up(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

}  // namespace attention::fast
