#include "fast/replay.hpp"

#include <algorithm>
#include <stdexcept>

#include "fast/vector.hpp"

namespace attention::fast {

namespace {

bool is_copy(const Step<float>& step) {
  return step.operation == OperationName::scale && step.attributes.factor == 1 && step.attributes.divisor == 1;
}

// What has to be known of the steps before anything is computed.
struct Needs {
  std::vector<bool> each;    // every example has its own
  std::vector<bool> values;  // the value is needed
  std::vector<bool> sums;    // the sum over the examples is
};

// A_eᵀ·B_e, whose sum over the examples is one product.
bool is_sum_of_products(const Step<float>& step, const std::vector<bool>& each) {
  return step.operation == OperationName::matmul && step.attributes.transpose_left &&
         !step.attributes.transpose_right && !step.mask && each[step.inputs[0]] && each[step.inputs[1]];
}

// The sum of sums, or of multiples, is one of sums.
bool is_linear(const Step<float>& step) {
  return step.operation == OperationName::add || step.operation == OperationName::scale;
}

Needs needs_of(const Tape<float>& tape, const ReplayPlan& plan) {
  const std::size_t count = tape.steps().size();
  Needs needs{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count)};
  for (StepId id : plan.each) {
    if (tape.steps().at(id).operation != OperationName::input)
      throw std::invalid_argument(tape.step(id).key + " is no input");
    needs.each[id] = true;
  }
  for (StepId id = 0; id < count; ++id) {
    for (StepId input : tape.step(id).inputs) needs.each[id] = needs.each[id] || needs.each[input];
    if (const std::optional<StepId> mask = tape.step(id).mask) needs.each[id] = needs.each[id] || needs.each[*mask];
  }

  for (StepId id : plan.values) needs.values.at(id) = true;
  for (StepId id : plan.sums) needs.sums.at(id) = true;
  for (StepId id = count; id-- > 0;) {
    const Step<float>& step = tape.step(id);
    const bool goes_by_sums = needs.each[id] && is_linear(step);
    if (needs.sums[id] && goes_by_sums)
      for (StepId input : step.inputs) needs.sums[input] = true;
    const bool is_one_product = needs.each[id] && is_sum_of_products(step, needs.each);
    if (needs.sums[id] && !goes_by_sums && !is_one_product) needs.values[id] = true;
    if (!needs.values[id] && !(needs.sums[id] && is_one_product)) continue;
    for (StepId input : step.inputs) needs.values[input] = true;
    if (step.mask) needs.values[*step.mask] = true;
  }
  return needs;
}

}  // namespace

Replay::Replay(const Tape<float>& tape, const ReplayPlan& plan)
    : examples_(plan.examples), inputs_(tape.steps().size()), values_(inputs_.size()), sums_(inputs_.size()) {
  if (examples_ == 0) throw std::invalid_argument("there is no example to run");
  const Needs needs = needs_of(tape, plan);
  for (StepId id = 0; id < tape.steps().size(); ++id) {
    const Step<float>& step = tape.step(id);
    const auto with = [&](const std::vector<std::optional<Matrices>>& from, const Matrices& value) {
      Job job{step.operation, step.attributes, {}, {}, value, examples_};
      for (StepId input : step.inputs) job.inputs.push_back(*from[input]);
      if (step.mask) job.mask = values_[*step.mask];
      return job;
    };

    if (needs.values[id]) {
      if (is_copy(step)) {
        values_[id] = values_[step.inputs[0]];
      } else {
        values_[id] = take(step.value, !needs.each[id]);
        if (step.operation == OperationName::input) {
          write_input(step, *values_[id]);
          inputs_[id] = true;
        } else {
          add(compute, with(values_, *values_[id]));
        }
      }
    }

    if (!needs.sums[id]) continue;
    if (needs.each[id] && is_copy(step)) {
      sums_[id] = sums_[step.inputs[0]];
      continue;
    }
    sums_[id] = take(step.value, true);
    if (!needs.each[id]) {
      add(compute,
          {OperationName::scale, {.factor = static_cast<double>(examples_)}, {*values_[id]}, {}, *sums_[id], 1});
    } else if (is_linear(step)) {
      add(compute, with(sums_, *sums_[id]));
    } else if (is_sum_of_products(step, needs.each)) {
      add(sum_of_products, with(values_, *sums_[id]));
    } else {
      add(sum_of_examples, {OperationName::add, no_attributes, {*values_[id]}, {}, *sums_[id], examples_});
    }
  }

  std::size_t room = 0;
  for (const Instruction& each : instructions_) room = std::max(room, scratch_of(each.job));
  scratch_.resize(room);
  for (Instruction& each : instructions_) each.job.scratch = scratch_.data();
}

// Three numbers more than the matrices have may be read.
Matrices Replay::take(const Matrix<float>& like, bool shared) {
  memory_.emplace_back(number_of_cells({shared ? 1 : examples_, like.shape(0), like.shape(1)}) + lanes - 1);
  return {memory_.back().data(), like.shape(0), like.shape(1), shared};
}

void Replay::write_input(const Step<float>& step, const Matrices& to) const {
  for (std::size_t example = 0; example < (to.shared ? 1 : examples_); ++example)
    std::copy_n(step.value.data(), step.value.size(), to.of(example));
}

void Replay::add(void (*run)(const Job&), Job job) { instructions_.push_back({run, std::move(job)}); }

void Replay::run() {
  for (const Instruction& each : instructions_) each.run(each.job);
}

std::span<float> Replay::input(StepId id) {
  if (!inputs_.at(id)) return {};
  const Matrices& found = *values_[id];
  return {found.data, found.cells() * (found.shared ? 1 : examples_)};
}

std::span<const float> Replay::value(StepId id) const {
  const Matrices& found = values_.at(id).value();
  return {found.data, found.cells() * (found.shared ? 1 : examples_)};
}

std::span<const float> Replay::sum(StepId id) const {
  const Matrices& found = sums_.at(id).value();
  return {found.data, found.cells()};
}

}  // namespace attention::fast
