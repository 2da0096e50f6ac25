#include "core/positional.hpp"

#include <cmath>

#include "core/frequency.hpp"
#include "core/sine_cosine.hpp"

namespace attention {

namespace {

void require_size(std::size_t rows, std::size_t cols, const char* field) {
  if (cols == 0 || cols > most_encoded || rows > most_encoded / cols)
    throw AttentionError("bad-size", field,
                         std::string(field) + " must be at least 1, and an encoding may have at most 2²² numbers");
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
  require_base(options.base);
  if (!std::isfinite(options.offset)) throw AttentionError("not-finite", "offset", "offset must be a finite number");
  for (double position : positions) require_position(position + options.offset);

  const Matrix<double> exact = encoded(positions, d_model, options);
  Matrix<Real> result = filled<Real>(positions.size(), d_model, 0);
  for (std::size_t cell = 0; cell < exact.size(); ++cell) result.data()[cell] = static_cast<Real>(exact.data()[cell]);
  return result;
}

template <class Real>
Tape<Real> positional_tape(const Matrix<Real>& x, const PositionOptions& positions, const AttentionOptions& attention) {
  if (x.shape(1) == 0) throw AttentionError("empty", "x", "x " + shape_text(x) + " needs at least one column");
  Tape<Real> tape;
  StepId source = tape.input("X", "X", x);
  if (positions.encoding == Encoding::sinusoidal) {
    const std::size_t n = x.shape(0);
    require_size(n, positions.width, "width");
    if (positions.combine == Combine::add && positions.width != x.shape(1))
      throw AttentionError("dimension-mismatch", "width",
                           "width must be the number of columns of x " + shape_text(x) + " to be added");
    std::vector<double> places(n);
    for (std::size_t place = 0; place < n; ++place) places[place] = static_cast<double>(place);
    const StepId encoding = tape.input("P", "P", sinusoidal<Real>(places, positions.width, positions.sinusoidal));
    source = tape.record(positions.combine == Combine::add ? OperationName::add : OperationName::concatenate, "H", "H",
                         {source, encoding});
  }
  record_self_attention(tape, source, attention);
  return tape;
}

#define INSTANTIATE(Real)                                                                              \
  template Matrix<Real> sinusoidal(const std::vector<double>&, std::size_t, const SinusoidalOptions&); \
  template Tape<Real> positional_tape(const Matrix<Real>&, const PositionOptions&, const AttentionOptions&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
