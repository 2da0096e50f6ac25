#include "core/gradient.hpp"

#include "core/operation.hpp"

namespace attention {

template <class Real>
StepId GradientRecorder<Real>::record(OperationName operation, StepIds inputs, const Attributes& attributes,
                                      std::optional<StepId> mask) {
  if (!mask) mask = implied_mask(operation, inputs);
  return tape_.record(operation, key_, symbol_, inputs, attributes, mask);
}

template <class Real>
StepId GradientRecorder<Real>::record_part(std::string_view part, OperationName operation, StepIds inputs,
                                           const Attributes& attributes, std::optional<StepId> mask) {
  if (!mask) mask = implied_mask(operation, inputs);
  return tape_.record(operation, key_ + "/" + std::string(part),
                      "{" + symbol_ + "}^{(" + std::to_string(++parts_) + ")}", inputs, attributes, mask);
}

template <class Real>
StepId GradientRecorder<Real>::record_input(std::string_view part, std::string_view symbol, Matrix<Real> value) {
  return tape_.input(key_ + "/" + std::string(part), symbol, std::move(value));
}

template <class Real>
std::optional<StepId> GradientRecorder<Real>::implied_mask(OperationName operation, StepIds inputs) const {
  switch (operation) {
    case OperationName::matmul:
    case OperationName::row_sum: return tape_.support(inputs[0]);
    case OperationName::multiply: {
      const std::optional<StepId> left = tape_.support(inputs[0]);
      return left ? left : tape_.support(inputs[1]);
    }
    default: return std::nullopt;
  }
}

namespace {

// Which steps depend on one of `wrt`, or are one.
template <class Real>
std::vector<bool> dependants(const Tape<Real>& tape, StepIds wrt) {
  std::vector<bool> depends(tape.steps().size(), false);
  for (StepId id : wrt) depends[id] = true;
  for (StepId id = 0; id < depends.size(); ++id)
    for (StepId input : tape.step(id).inputs) depends[id] = depends[id] || depends[input];
  return depends;
}

struct Use {
  StepId user;
  std::size_t slot;
};

// Who uses each step on the way from `wrt` to `of`, last user first.
template <class Real>
std::vector<std::vector<Use>> uses_between(const Tape<Real>& tape, StepId of, StepIds wrt) {
  const std::vector<bool> depends = dependants(tape, wrt);
  std::vector<std::vector<Use>> uses(of + 1);
  std::vector<bool> reached(of + 1, false);
  reached[of] = depends[of];
  for (StepId id = of + 1; id-- > 0;) {
    const Step<Real>& step = tape.step(id);
    if (!reached[id] || !operation_record<Real>(step.operation).differentiate) continue;
    for (std::size_t slot = 0; slot < step.inputs.size(); ++slot) {
      if (!depends[step.inputs[slot]]) continue;
      uses[step.inputs[slot]].push_back({id, slot});
      reached[step.inputs[slot]] = true;
    }
  }
  return uses;
}

// "grad/x" for the only use, "grad/x/<user>" for one of several, with the slot when a step uses x twice.
template <class Real>
std::string share_key(const Tape<Real>& tape, StepId of_input, const std::vector<Use>& uses, const Use& use) {
  std::string key = "grad/" + tape.step(of_input).key;
  if (uses.size() == 1) return key;
  key += "/" + tape.step(use.user).key;
  std::size_t by_same_user = 0;
  for (const Use& other : uses) by_same_user += other.user == use.user;
  return by_same_user == 1 ? key : key + "/" + std::to_string(use.slot);
}

template <class Real>
std::string gradient_symbol(const Tape<Real>& tape, StepId id) {
  return "\\mathrm{d}" + tape.step(id).symbol;
}

// The gradient of every step between `of`, whose own is `given`, and those of `wrt`.
template <class Real>
std::vector<std::optional<StepId>> record_back(Tape<Real>& tape, StepId of, StepId given, StepIds wrt) {
  const std::vector<std::vector<Use>> uses = uses_between(tape, of, wrt);
  std::vector<std::optional<StepId>> gradient(of + 1);
  gradient[of] = given;

  for (StepId id = of; id-- > 0;) {
    if (uses[id].empty()) continue;
    std::vector<StepId> shares;
    for (const Use& use : uses[id]) {
      const std::string user_symbol = uses[id].size() == 1 ? "" : "^{(" + tape.step(use.user).symbol + ")}";
      GradientRecorder<Real> recorder(
          tape, share_key(tape, id, uses[id], use),
          user_symbol.empty() ? gradient_symbol(tape, id) : "{" + gradient_symbol(tape, id) + "}" + user_symbol);
      const OperationName operation = tape.step(use.user).operation;
      shares.push_back(
          operation_record<Real>(operation).differentiate(recorder, use.user, *gradient[use.user], use.slot));
    }
    gradient[id] = shares.size() == 1 ? shares[0]
                                      : tape.record(OperationName::add, "grad/" + tape.step(id).key,
                                                    gradient_symbol(tape, id), shares);
  }
  return gradient;
}

// Zeros where nothing depends on it.
template <class Real>
StepId gradient_towards(Tape<Real>& tape, const std::vector<std::optional<StepId>>& gradient, StepId wrt) {
  if (wrt < gradient.size() && gradient[wrt]) return *gradient[wrt];
  const Matrix<Real>& target = tape.value(wrt);
  return tape.input("grad/" + tape.step(wrt).key, gradient_symbol(tape, wrt),
                    filled<Real>(target.shape(0), target.shape(1), 0));
}

}  // namespace

template <class Real>
StepId record_gradient(Tape<Real>& tape, StepId of, std::size_t row, std::size_t col, StepId wrt) {
  require_cell(tape.step(of), row, col);
  const Matrix<Real>& value = tape.value(of);
  Matrix<Real> one = filled<Real>(value.shape(0), value.shape(1), 0);
  one(row, col) = 1;
  const StepId given = tape.input("grad/" + tape.step(of).key, gradient_symbol(tape, of), std::move(one));
  return gradient_towards(tape, record_back(tape, of, given, {wrt}), wrt);
}

template <class Real>
std::vector<StepId> record_gradients(Tape<Real>& tape, StepId of, StepId given, StepIds wrt) {
  const std::vector<std::optional<StepId>> gradient = record_back(tape, of, given, wrt);
  std::vector<StepId> found;
  for (StepId id : wrt) found.push_back(gradient_towards(tape, gradient, id));
  return found;
}

template class GradientRecorder<float>;
template class GradientRecorder<double>;
template std::vector<StepId> record_gradients(Tape<float>&, StepId, StepId, StepIds);
template std::vector<StepId> record_gradients(Tape<double>&, StepId, StepId, StepIds);
template StepId record_gradient(Tape<float>&, StepId, std::size_t, std::size_t, StepId);
template StepId record_gradient(Tape<double>&, StepId, std::size_t, std::size_t, StepId);

}  // namespace attention
