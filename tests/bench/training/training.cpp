// Steps of training of a small classifier by attention, three ways: for the benchmark, which writes the numbers and
// asks for steps.
#include <optional>

#include "fast/classifier.hpp"
#include "fast/operations.hpp"
#include "fast/replay.hpp"

namespace attention {
namespace {

constexpr float rate = 0.1f;

// Stochastic gradient descent on the mean loss of all examples. Numbers: X of each example, its target, the parameters.
class Training {
 public:
  Training(const ClassifierSize& size, std::size_t examples) : size_(size), examples_(examples) {
    const std::size_t d = size.d_model;
    for (std::size_t cols : {d, d, d, d, size.classes}) parameters_.push_back(filled<float>(d, cols, 0));
    parameters_.push_back(filled<float>(1, size.classes, 0));
    std::size_t count = examples * (size.tokens * d + size.classes);
    for (const Matrix<float>& parameter : parameters_) count += parameter.size();
    numbers_.resize(count);
  }

  float* numbers() { return numbers_.data(); }

  // One tape for each example, as it is explained.
  void step_on_tapes(const std::vector<Operation<float>>& operations) {
    const float *x = numbers_.data(), *target = targets();
    ClassifierNumbers<float> numbers = example_with_parameters();
    std::vector<std::vector<float>> sums;
    for (const Matrix<float>& parameter : parameters_) sums.emplace_back(parameter.size());
    for (std::size_t example = 0; example < examples_; ++example) {
      x = take(x, numbers.x);
      target = take(target, numbers.target);
      Tape<float> tape(operations);
      const Classifier<float> classifier = record_classifier(tape, size_, weight(), numbers);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const Matrix<float>& gradient = tape.value(classifier.gradients[i]);
        for (std::size_t cell = 0; cell < sums[i].size(); ++cell) sums[i][cell] += gradient.data()[cell];
      }
    }
    float* to = parameters();
    for (const std::vector<float>& sum : sums)
      for (float gradient : sum) *to++ -= rate * gradient;
  }

  void step_by_replay() {
    if (!replay_) start_replay();
    replay_->run();
    float* to = parameters();
    for (std::size_t i = 0; i < classifier_.parameters.size(); ++i) {
      const std::span<float> parameter = replay_->input(classifier_.parameters[i]);
      const std::span<const float> gradient = replay_->sum(classifier_.gradients[i]);
      for (std::size_t cell = 0; cell < parameter.size(); ++cell) *to++ = parameter[cell] -= rate * gradient[cell];
    }
  }

 private:
  double weight() const { return 1 / static_cast<double>(examples_); }
  float* targets() { return numbers_.data() + examples_ * size_.tokens * size_.d_model; }
  float* parameters() { return targets() + examples_ * size_.classes; }

  // With room for an example.
  ClassifierNumbers<float> example_with_parameters() {
    ClassifierNumbers<float> numbers{filled<float>(size_.tokens, size_.d_model, 0), filled<float>(1, size_.classes, 0),
                                     parameters_};
    const float* from = parameters();
    for (Matrix<float>& parameter : numbers.parameters) from = take(from, parameter);
    return numbers;
  }

  static const float* take(const float* from, Matrix<float>& to) {
    std::copy_n(from, to.size(), to.data());
    return from + to.size();
  }

  void start_replay() {
    Tape<float> tape;
    classifier_ = record_classifier(tape, size_, weight(), example_with_parameters());
    replay_.emplace(tape, fast::ReplayPlan{examples_, {classifier_.x, classifier_.target}, {}, classifier_.gradients});
    std::copy(numbers_.data(), targets(), replay_->input(classifier_.x).data());
    std::copy(targets(), parameters(), replay_->input(classifier_.target).data());
  }

  const ClassifierSize size_;
  const std::size_t examples_;
  std::vector<Matrix<float>> parameters_;  // for their shapes
  std::vector<float> numbers_;
  Classifier<float> classifier_;
  std::optional<fast::Replay> replay_;
};

std::optional<Training> training;

}  // namespace
}  // namespace attention

extern "C" {

// Where the numbers go, in bytes from the start of memory.
float* begin_training(std::size_t tokens, std::size_t d_model, std::size_t heads, std::size_t classes,
                      std::size_t examples) {
  return attention::training.emplace(attention::ClassifierSize{tokens, d_model, heads, classes}, examples).numbers();
}

void step_on_plain_tapes() { attention::training->step_on_tapes(attention::operations<float>()); }
void step_on_fast_tapes() { attention::training->step_on_tapes(attention::fast::operations()); }
void step_by_replay() { attention::training->step_by_replay(); }
}
