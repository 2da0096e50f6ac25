// A tape that runs again for many examples, against tapes of core written for each of them.
#include "fast/replay.hpp"

#include <cmath>
#include <map>
#include <set>

#include "core/all_close.hpp"
#include "core/finite_differences.hpp"
#include "core/operation_cases.hpp"
#include "fast/classifier.hpp"
#include "fast/operations.hpp"

namespace attention::fast {
namespace {

// Other numbers of the same kind: masks stay masks, what is positive stays positive.
Matrix<float> another(const Matrix<float>& like, bool is_mask, Random& random) {
  if (is_mask) return random.mask<float>(like.shape(0), like.shape(1));
  Matrix<float> numbers = like;
  for (float& number : numbers) number *= static_cast<float>(random.number(0.5, 1.5));
  return numbers;
}

// What an example has in an input.
void write(const Matrix<float>& numbers, std::size_t example, std::span<float> input) {
  std::copy(numbers.begin(), numbers.end(), input.begin() + static_cast<std::ptrdiff_t>(example * numbers.size()));
}

// The largest difference of cells, as a part of 1e-5 of the largest cell; NaN and ∞ have to be the same.
template <class Real>
double difference(const float* found, const Matrix<Real>& expected) {
  double scale = 1e-30, worst = 0;
  for (Real cell : expected)
    if (std::isfinite(cell)) scale = std::max(scale, std::abs(static_cast<double>(cell)));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double a = found[i], b = expected.data()[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    worst = larger_or_nan(worst, std::abs(a - b) / scale / 1e-5);
  }
  return worst;
}

template <class Real>
using Numbers = std::map<StepId, Matrix<Real>>;

// The same steps, from other numbers in these inputs.
template <class Real>
Tape<Real> rewritten(const Tape<Real>& tape, const Numbers<Real>& others) {
  Tape<Real> again;
  for (const Step<Real>& step : tape.steps()) {
    const auto other = others.find(again.steps().size());
    if (step.operation != OperationName::input)
      again.record(step.operation, step.key, step.symbol, step.inputs, step.attributes, step.mask);
    else
      again.input(step.key, step.symbol, other == others.end() ? step.value : other->second);
  }
  return again;
}

TEST_CASE("every operation for many examples is what core computes for each", "[fast]") {
  constexpr std::size_t examples = 3;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed + 100);
    for (const Case<float>& of : cases<float>(seed)) {
      const Recorded<float> recorded = record(of);
      std::set<StepId> each;
      for (StepId id = 0; id < recorded.result; ++id)
        if (random.whole(0, 2) > 0) each.insert(id);
      INFO(of.name << ", seed " << seed << ", " << each.size() << " of " << recorded.result << " for each");

      Replay replay(recorded.tape, {examples, {each.begin(), each.end()}, {recorded.result}, {recorded.result}});
      std::vector<Tape<float>> tapes;
      for (std::size_t example = 0; example < examples; ++example) {
        Numbers<float> numbers;
        for (StepId id : each) {
          const Step<float>& step = recorded.tape.step(id);
          numbers[id] = another(step.value, step.key == "mask", random);
          write(numbers[id], example, replay.input(id));
        }
        tapes.push_back(rewritten(recorded.tape, numbers));
      }
      replay.run();

      Matrix<float> sum = tapes[0].value(recorded.result);
      const std::span<const float> values = replay.value(recorded.result);
      REQUIRE(values.size() == sum.size() * (each.empty() ? 1 : examples));
      for (std::size_t example = 0; example < examples; ++example) {
        const Matrix<float>& expected = tapes[example].value(recorded.result);
        CHECK(difference(values.data() + (each.empty() ? 0 : example * expected.size()), expected) <= 1);
        for (std::size_t i = 0; example > 0 && i < sum.size(); ++i) sum.data()[i] += expected.data()[i];
      }
      CHECK(difference(replay.sum(recorded.result).data(), sum) <= 1);
    }
  }
}

TEST_CASE("a maximum of 0 is not shared with what is hidden or not there", "[fast]") {
  Tape<float> tape;
  const StepId x = tape.input("x", "x", table<float>({{0, -1, -2}, {7, 0, -3}, {0, 0, -5}}));
  const StepId mask = tape.input("mask", "M", table<float>({{1, 1, 1}, {0, 1, 1}, {1, 1, 1}}));
  const StepId highest = tape.record(OperationName::is_max, "highest", "H", {x}, no_attributes, mask);
  Replay replay(tape, {1, {}, {highest}, {}});
  replay.run();
  const std::vector<float> expected = {1, 0, 0, 0, 1, 0, 0.5, 0.5, 0};
  CHECK(std::equal(expected.begin(), expected.end(), replay.value(highest).begin(), replay.value(highest).end()));
}

TEST_CASE("the gradients of a classifier are the slopes of its loss", "[gradient]") {
  Random random(5);
  Tape<double> tape;
  const ClassifierSize size{4, 6, 2, 3};
  const Classifier<double> classifier = record_classifier(tape, size, 1, random_classifier<double>(size, random));
  const auto loss = [&](StepId parameter, const Matrix<double>& to) {
    const Tape<double> again = rewritten<double>(tape, {{parameter, to}});
    return filled<double>(1, 1, -std::log(again.value(classifier.probabilities)(0, 0)));
  };
  for (std::size_t i = 0; i < classifier.parameters.size(); ++i) {
    const StepId parameter = classifier.parameters[i];
    INFO(tape.step(parameter).key);
    const Derivatives slopes(
        [&](const Matrix<double>& to) {
          return loss(parameter, to);
        },
        tape.value(parameter));
    CHECK_THAT(tape.value(classifier.gradients[i]), AllClose(slopes.at(0, 0), 1e-7, 1e-9));
  }
}

TEST_CASE("the gradients of many examples are the sums of those that tapes of doubles have", "[fast]") {
  for (const std::size_t examples : {1, 2, 7}) {
    const ClassifierSize size{5, 12, 3, 4};
    const double weight = 1.0 / static_cast<double>(examples);
    Random random(7);
    Tape<float> tape;
    const Classifier<float> classifier = record_classifier(tape, size, weight, random_classifier<float>(size, random));
    Replay replay(tape,
                  {examples, {classifier.x, classifier.target}, {classifier.probabilities}, classifier.gradients});
    Random same(7);
    Tape<double> exact;
    record_classifier(exact, size, weight, random_classifier<double>(size, same));
    Numbers<double> sums;
    for (std::size_t example = 0; example < examples; ++example) {
      const Matrix<float> x = random.matrix<float>(size.tokens, size.d_model);
      Matrix<float> target = filled<float>(1, size.classes, 0);
      target(0, random.whole(0, size.classes - 1)) = 1;
      write(x, example, replay.input(classifier.x));
      write(target, example, replay.input(classifier.target));
      const Tape<double> own = rewritten<double>(
          exact, {{classifier.x, converted<double>(x)}, {classifier.target, converted<double>(target)}});
      for (StepId id : classifier.gradients) {
        Matrix<double>& sum = sums.try_emplace(id, own.value(id).shape(), 0.0).first->second;
        for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += own.value(id).data()[i];
      }
    }
    replay.run();
    for (StepId id : classifier.gradients) {
      INFO(examples << " examples, " << tape.step(id).key);
      CHECK(difference(replay.sum(id).data(), sums.at(id)) <= 1);
    }
  }
}

TEST_CASE("gradients towards several steps are those towards each", "[gradient]") {
  Random random(9);
  Tape<double> tape;
  const ClassifierSize size{3, 4, 2, 2};
  const Classifier<double> classifier = record_classifier(tape, size, 1, random_classifier<double>(size, random));
  const StepId seed = *tape.find("grad/logits");
  for (std::size_t i = 0; i < classifier.parameters.size(); ++i) {
    Tape<double> own;
    for (StepId id = 0; id <= seed; ++id) {
      const Step<double>& step = tape.step(id);
      if (step.operation == OperationName::input)
        own.input(step.key, step.symbol, step.value);
      else
        own.record(step.operation, step.key, step.symbol, step.inputs, step.attributes, step.mask);
    }
    const StepId gradient = record_gradients(own, classifier.logits, seed, {classifier.parameters[i]}).front();
    CHECK(own.value(gradient) == tape.value(classifier.gradients[i]));
  }
}

TEST_CASE("a tape of floats has the same bits with products by gemm", "[fast]") {
  Random random(3);
  const ClassifierSize size{17, 48, 3, 5};
  const ClassifierNumbers<float> numbers = random_classifier<float>(size, random);
  Tape<float> plain, fast(operations());
  record_classifier(plain, size, 0.25, numbers);
  record_classifier(fast, size, 0.25, numbers);
  for (StepId id = 0; id < plain.steps().size(); ++id) {
    INFO(plain.step(id).key);
    CHECK(plain.value(id) == fast.value(id));
  }
}

TEST_CASE("what a replay cannot do it refuses", "[fast]") {
  Tape<float> tape;
  const StepId x = tape.input("x", "x", table<float>({{1, 2}}));
  const StepId y = tape.record(OperationName::exp, "y", "y", {x});
  CHECK_THROWS_AS(Replay(tape, {0, {}, {y}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(Replay(tape, {1, {y}, {y}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(Replay(tape, {std::numeric_limits<std::size_t>::max(), {x}, {y}, {}}), std::length_error);
  CHECK_THROWS_AS(Replay(tape, {1, {9}, {y}, {}}), std::out_of_range);
  CHECK_THROWS_AS(Replay(tape, {1, {}, {9}, {}}), std::out_of_range);
}

}  // namespace
}  // namespace attention::fast
