#include "core/tape.hpp"

#include <stdexcept>

#include "core/operation.hpp"

namespace attention {

const Attributes no_attributes;

template <class Real>
StepId Tape<Real>::input(std::string_view key, std::string_view symbol, Matrix<Real> value) {
  if (find(key)) throw std::invalid_argument("two steps with the key " + std::string(key));
  steps_.push_back({std::string(key), std::string(symbol), OperationName::input, {}, {}, {}, std::move(value)});
  return steps_.size() - 1;
}

template <class Real>
StepId Tape<Real>::record(OperationName operation, std::string_view key, std::string_view symbol, StepIds inputs,
                          const Attributes& attributes, std::optional<StepId> mask) {
  if (find(key)) throw std::invalid_argument("two steps with the key " + std::string(key));
  const Operation<Real>& rules =
      records_ ? (*records_)[static_cast<std::size_t>(operation)] : operation_record<Real>(operation);
  const bool right_count =
      operation == OperationName::add ? inputs.size() >= rules.inputs : inputs.size() == rules.inputs;
  if (!right_count) throw std::invalid_argument("another number of inputs is needed for " + std::string(key));
  if (mask && !rules.takes_mask) throw std::invalid_argument("no mask can be used for " + std::string(key));
  Arguments<Real> arguments;
  for (StepId id : inputs) arguments.inputs.push_back(&steps_.at(id).value);
  if (mask) arguments.mask = &steps_.at(*mask).value;
  arguments.attributes = &attributes;
  Matrix<Real> value = rules.forward(arguments);
  steps_.push_back({std::string(key),
                    std::string(symbol),
                    operation,
                    {inputs.begin(), inputs.end()},
                    mask,
                    attributes,
                    std::move(value)});
  return steps_.size() - 1;
}

template <class Real>
std::optional<StepId> Tape<Real>::find(std::string_view key) const {
  for (StepId id = 0; id < steps_.size(); ++id)
    if (steps_[id].key == key) return id;
  return std::nullopt;
}

template <class Real>
std::optional<StepId> Tape<Real>::support(StepId id) const {
  const Step<Real>& step = steps_[id];
  switch (step.operation) {
    case OperationName::select: return step.attributes.fill == 0 ? step.mask : std::nullopt;
    case OperationName::exp:
    case OperationName::is_max:
    case OperationName::spread:
    case OperationName::multiply: return step.mask;
    case OperationName::divide_rows: {
      const bool zeros = step.attributes.empty_row == EmptyRow::zero;
      return zeros && step.mask && same_shape(value(*step.mask), step.value) ? step.mask : std::nullopt;
    }
    case OperationName::scale: return support(step.inputs[0]);
    case OperationName::add: {
      const std::optional<StepId> first = support(step.inputs[0]);
      for (StepId input : step.inputs)
        if (support(input) != first) return std::nullopt;
      return first;
    }
    default: return std::nullopt;
  }
}

template class Tape<float>;
template class Tape<double>;

}  // namespace attention
