#include "fast/gelu.hpp"

#include <algorithm>
#include <bit>

#include "fast/vector.hpp"

namespace attention::fast {

namespace {

// Further left both forms are nothing in floats, further right they are x.
constexpr float farthest = 15;

constexpr double half_log2_e = 0.7213475204444817, minus_two_log2_e_root_of_two_over_pi = -2.302208198144325;

// From the power of 0 on. 2^f within 1.4e-14 for f in [−½, ½], and ½·erfc(t/√2)·e^(t²/2) within 9.1e-14 for t in
// [0, 15], u = (t − 5.5)/(t + 5.5), both relative (Remez exchange).
constexpr double exp2_numbers[] = {
    1.000000000000013,    0.6931471805598709,    0.2402265069564965,    0.0555041086686958,    0.009618129192059429,
    0.001333355761476741, 0.0001540343495775558, 1.525298689940617e-05, 1.325940308245624e-06, 1.014990139471999e-07};
constexpr double tail_numbers[] = {
    0.07034269402512591,    -0.1326320958954163,    0.1109799917857503,     -0.08205868676960122,
    0.05317468161835402,    -0.02977959271899495,   0.0140727890111222,     -0.00536555662080639,
    0.001487853793289161,   -0.0001975675779142258, -5.395347372179567e-05, 3.599532878044161e-05,
    -5.181297404435788e-06, -2.739815902058702e-06, 1.293400630514798e-06,  4.129330064145097e-07};

// The first powers and the others by themselves, and so on (Estrin 1960), since every step waits for the one before.
// `powers` are x, x², x⁴, …
template <std::size_t count>
Doubles sum_of_powers(const double* numbers, const Doubles* powers) {
  if constexpr (count == 1) {
    return both(*numbers);
  } else {
    constexpr std::size_t half = std::bit_floor(count - 1);
    return sum_of_powers<half>(numbers, powers) +
           powers[std::countr_zero(half)] * sum_of_powers<count - half>(numbers + half, powers);
  }
}

template <std::size_t count>
Doubles polynomial(const double (&numbers)[count], Doubles x) {
  const Doubles square = x * x, fourth = square * square;
  const Doubles powers[] = {x, square, fourth, fourth * fourth};
  static_assert(count <= 16);
  return sum_of_powers<count>(numbers, powers);
}

// 2^x for |x| < 1022, NaN of NaN.
Doubles exp2(Doubles x) {
  const Doubles rounding = both(0x1.8p52), shifted = x + rounding;
  // The whole number stands in the last bits of `shifted`.
  const Doubles power = (Doubles)(((LongBits)shifted + 1023) << 52);
  return polynomial(exp2_numbers, x - (shifted - rounding)) * power;
}

// ½·erfc(t/√2) for t from 0 to 15.
Doubles tail(Doubles t) {
  const Doubles u = (t - both(5.5)) / (t + both(5.5));
  return polynomial(tail_numbers, u) * exp2(t * t * both(-half_log2_e));
}

// e^(−2u), ½(1 + tanh u) = 1/(1 + e^(−2u)).
Doubles odds(Doubles x) { return exp2(both(minus_two_log2_e_root_of_two_over_pi) * (x + both(0.044715) * x * x * x)); }

Vector exact(Vector x) {
  const Vector t = smaller(larger(-x, x), all(farthest)), positive = larger(x, Vector{});
  // Nothing cancels on either side.
  const auto half = [](Doubles positive, Doubles t) {
    return positive - t * tail(t);
  };
  return rounded(half(first_two(positive), first_two(t)), half(last_two(positive), last_two(t)));
}

Vector with_tanh(Vector x) {
  const Vector shown = larger(x, all(-farthest)), near = smaller(shown, all(farthest));
  const auto half = [](Doubles shown, Doubles near) {
    return shown / (both(1) + odds(near));
  };
  return rounded(half(first_two(shown), first_two(near)), half(last_two(shown), last_two(near)));
}

template <class Form>
void replace(float* cells, std::size_t count, Form form) {
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes) store(cells + at, form(load(cells + at)));
  if (at == count) return;
  float last[lanes] = {};
  std::copy(cells + at, cells + count, last);
  store_part(cells + at, form(load(last)), count - at);
}

}  // namespace

Tensor<float> gelu(const Tensor<float>& x, GeluKind kind) {
  Tensor<float> result = x;
  if (kind == GeluKind::exact)
    replace(result.data(), result.size(), exact);
  else
    replace(result.data(), result.size(), with_tanh);
  return result;
}

}  // namespace attention::fast
