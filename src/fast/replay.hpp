// A tape of floats that runs again, for many examples at once: what training does thousands of times.
#pragma once

#include <span>
#include <vector>

#include "core/tape.hpp"
#include "fast/in_place.hpp"

namespace attention::fast {

// What is asked of a replay, in steps of the tape.
struct ReplayPlan {
  std::size_t examples = 1;    // how many at once, at least 1
  std::vector<StepId> each;    // inputs that every example has its own of; all others are the same for all examples
  std::vector<StepId> values;  // steps wanted for every example
  std::vector<StepId> sums;    // steps wanted as the sum over the examples: gradients of what is the same for all
};

// Computes what the plan asks for, and what that needs, in the order of the tape; all memory is taken when it is made.
// Values are those of the tape within the precision of in_place.hpp. A gradient is nothing else than steps of the tape
// (record_gradients), so that a replay of them is the gradient that the tape explains. Copies (a scale of 1) are not
// made. Products with what is the same for all examples, and sums over examples, are one product each.
class Replay {
 public:
  // The inputs have the numbers that they have on the tape, those of `each` in every example. Throws
  // std::invalid_argument without an example, and for a step of `each` that is no input; std::length_error where memory
  // has no such size.
  Replay(const Tape<float>& tape, const ReplayPlan& plan);
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // Where the numbers of an input stand, to be written before a run: [examples, rows, cols] for those of `each`, else
  // [rows, cols]. Empty for an input that nothing wanted depends on, and for any other step.
  std::span<float> input(StepId id);

  void run();

  // After a run, of a step that was asked for: [examples, rows, cols], or [rows, cols] where it is the same for all.
  std::span<const float> value(StepId id) const;

  // The same, [rows, cols].
  std::span<const float> sum(StepId id) const;

 private:
  struct Instruction {
    void (*run)(const Job&);
    Job job;
  };

  Matrices take(const Matrix<float>& like, bool shared);
  void write_input(const Step<float>& step, const Matrices& to) const;
  void add(void (*run)(const Job&), Job job);

  std::size_t examples_;
  std::vector<std::vector<float>> memory_;
  std::vector<bool> inputs_;                            // by step: whether it is one that is needed
  std::vector<std::optional<Matrices>> values_, sums_;  // by step
  std::vector<Instruction> instructions_;
  std::vector<float> scratch_;
};

}  // namespace attention::fast
