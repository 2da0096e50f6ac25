#include "core/positional.hpp"

#include <algorithm>
#include <cmath>

#include "core/alibi.hpp"
#include "core/frequency.hpp"
#include "core/sine_cosine.hpp"

namespace attention {

namespace {

void require_size(std::size_t rows, std::size_t cols, const char* field) {
  if (cols == 0 || cols > most_encoded || rows > most_encoded / cols)
    throw AttentionError("bad-size", field,
                         std::string(field) + " must be at least 1, and an encoding may have at most 2²² numbers");
}

void require_places(const std::vector<double>& positions, const SinusoidalOptions& options) {
  require_base(options.base);
  if (!std::isfinite(options.offset)) throw AttentionError("not-finite", "offset", "offset must be a finite number");
  for (double position : positions) require_position(position + options.offset);
}

Matrix<double> encoded(const std::vector<double>& positions, std::size_t d_model, const SinusoidalOptions& options) {
  Matrix<double> result = filled<double>(positions.size(), d_model, 0);
  const bool interleaved = options.layout == Layout::interleaved;
  const std::size_t sines = d_model - d_model / 2;
  for (std::size_t pair = 0; pair < sines; ++pair) {
    const double divisor = angle_divisor(pair, d_model, options.base);
    const std::size_t sine = interleaved ? 2 * pair : pair, cosine = interleaved ? sine + 1 : sines + pair;
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const double angle = (positions[row] + options.offset) / divisor;
      const SineCosine both = sine_cosine(angle);
      result(row, sine) = both.sine;
      if (cosine < d_model) result(row, cosine) = both.cosine;
    }
  }
  return result;
}

}  // namespace

template <class Real>
Matrix<Real> sinusoidal(const std::vector<double>& positions, std::size_t d_model, const SinusoidalOptions& options) {
  require_size(positions.size(), d_model, "dModel");
  require_places(positions, options);

  const Matrix<double> exact = encoded(positions, d_model, options);
  Matrix<Real> result = filled<Real>(positions.size(), d_model, 0);
  for (std::size_t cell = 0; cell < exact.size(); ++cell) result.data()[cell] = static_cast<Real>(exact.data()[cell]);
  return result;
}

namespace {

// H, made of X and the encoding of its places.
template <class Real>
StepId record_encoded(Tape<Real>& tape, StepId x, const std::vector<double>& places, const PositionOptions& positions) {
  const bool is_added = positions.combine == Combine::add;
  require_size(places.size(), positions.width, "width");
  if (is_added && positions.width != tape.value(x).shape(1))
    throw AttentionError("dimension-mismatch", "width",
                         "width must be the number of columns of x " + shape_text(tape.value(x)) + " to be added");
  const StepId encoding = tape.input("P", "P", sinusoidal<Real>(places, positions.width, positions.sinusoidal));
  return tape.record(is_added ? OperationName::add : OperationName::concatenate, "H", "H", {x, encoding});
}

// R, the rows of X turned.
template <class Real>
StepId record_rotated(Tape<Real>& tape, StepId x, const SinusoidalOptions& options) {
  const std::size_t turned = tape.value(x).shape(1) / 2 * 2;
  return tape.record(OperationName::rotate, "R", "R", {x},
                     {.columns = turned, .layout = options.layout, .base = options.base, .offset = options.offset});
}

// The penalty for every token between two of n.
template <class Real>
Matrix<Real> linear_bias(std::size_t n, Real slope) {
  Matrix<Real> result = filled<Real>(n, n, 0);
  for (std::size_t cell = 0; cell < result.size(); ++cell) {
    const Real ahead = static_cast<Real>(cell / n) - static_cast<Real>(cell % n);
    result.data()[cell] = slope * std::min(ahead, -ahead);
  }
  return result;
}

}  // namespace

template <class Real>
Tape<Real> positional_tape(const Matrix<Real>& x, const PositionOptions& positions, const AttentionOptions& attention) {
  if (x.shape(1) == 0) throw AttentionError("empty", "x", "x " + shape_text(x) + " needs at least one column");
  std::vector<double> places(x.shape(0));
  for (std::size_t place = 0; place < places.size(); ++place) places[place] = static_cast<double>(place);
  Tape<Real> tape;
  const StepId tokens = tape.input("X", "X", x);
  AttentionSources sources{tokens, tokens, tokens, {}, {}};
  switch (positions.encoding) {
    case Encoding::none: break;
    case Encoding::sinusoidal:
      sources.q = sources.k = sources.v = record_encoded(tape, tokens, places, positions);
      break;
    case Encoding::rotary:
      require_places(places, positions.sinusoidal);
      sources.q = sources.k = record_rotated(tape, tokens, positions.sinusoidal);
      break;
    case Encoding::alibi: {
      const Real slope = static_cast<Real>(alibi_slope(positions.heads, positions.head));
      if (places.size() > 1) sources.bias = tape.input("bias", "B", linear_bias(places.size(), slope));
    }
  }
  record_self_attention(tape, sources, attention);
  return tape;
}

#define INSTANTIATE(Real)                                                                              \
  template Matrix<Real> sinusoidal(const std::vector<double>&, std::size_t, const SinusoidalOptions&); \
  template Tape<Real> positional_tape(const Matrix<Real>&, const PositionOptions&, const AttentionOptions&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
