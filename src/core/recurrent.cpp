#include "core/recurrent.hpp"

#include <cmath>

#include "core/error.hpp"

namespace attention {

template <class Real>
Tape<Real> recurrent_tape(const Matrix<Real>& x, double w) {
  if (x.shape(0) == 0 || x.shape(1) != 1)
    throw AttentionError("dimension-mismatch", "x", "x " + shape_text(x) + " must be a column, [n, 1], with n ≥ 1");
  if (!std::isfinite(w)) throw AttentionError("not-finite", "w", "w must be a finite number");
  Tape<Real> tape;
  std::vector<StepId> inputs;
  for (std::size_t token = 0; token < x.shape(0); ++token) {
    const std::string number = std::to_string(token + 1);
    inputs.push_back(tape.input("x" + number, "x_{" + number + "}", filled<Real>(1, 1, x(token, 0))));
  }
  StepId state = tape.record(OperationName::scale, "h1", "h_{1}", {inputs[0]});
  for (std::size_t token = 1; token < inputs.size(); ++token) {
    const std::string number = std::to_string(token + 1);
    const StepId kept = tape.record(OperationName::scale, "h" + number + "/kept", "(w h)_{" + number + "}", {state},
                                    {.factor = w, .factor_symbol = "w\\cdot "});
    state = tape.record(OperationName::add, "h" + number, "h_{" + number + "}", {kept, inputs[token]});
  }
  return tape;
}

template Tape<float> recurrent_tape(const Matrix<float>&, double);
template Tape<double> recurrent_tape(const Matrix<double>&, double);

}  // namespace attention
