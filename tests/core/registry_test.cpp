// Every operation of the registry, for random shapes and numbers: values, explanations and gradients.
#include <set>

#include "core/definition.hpp"
#include "core/finite_differences.hpp"
#include "core/matrices.hpp"
#include "core/operation_cases.hpp"

namespace attention {
namespace {

// Which cells of the inputs no cell of the result reads.
template <class Real>
std::vector<Cell> hidden_cells(const Recorded<Real>& recorded) {
  std::set<Cell> read;
  const Step<Real>& step = recorded.tape.step(recorded.result);
  for (std::size_t row = 0; row < step.value.shape(0); ++row)
    for (std::size_t col = 0; col < step.value.shape(1); ++col)
      for (const Cell& cell : definition(recorded.tape, step, row, col).reads) read.insert(cell);
  std::vector<Cell> hidden;
  for (StepId input : recorded.inputs)
    for (std::size_t row = 0; row < recorded.tape.value(input).shape(0); ++row)
      for (std::size_t col = 0; col < recorded.tape.value(input).shape(1); ++col)
        if (!read.count({input, row, col})) hidden.push_back({input, row, col});
  return hidden;
}

template <class Real>
Matrix<Real> gradient_of(const Case<Real>& of, std::size_t row, std::size_t col, std::size_t input) {
  Recorded<Real> recorded = record(of);
  return recorded.tape.value(record_gradient(recorded.tape, recorded.result, row, col, recorded.inputs[input]));
}

// Calls `check(case, row, col, input)` for every cell of every result and every input.
template <class Real, class Check>
void for_every_derivative(std::uint64_t seed, Check check) {
  for (const Case<Real>& of : cases<Real>(seed)) {
    const Recorded<Real> recorded = record(of);
    const Matrix<Real>& value = recorded.tape.value(recorded.result);
    for (std::size_t input = 0; input < of.inputs.size(); ++input)
      for (std::size_t row = 0; row < value.shape(0); ++row)
        for (std::size_t col = 0; col < value.shape(1); ++col) check(of, row, col, input);
  }
}

TEMPLATE_TEST_CASE("the registry is in the order of OperationName", "[registry]", double, float) {
  const std::vector<std::string> names = {
      "input",           "matmul", "transpose", "scale",  "add",         "multiply",    "select",  "row-max", "is-max",
      "subtract-column", "exp",    "row-sum",   "spread", "divide-rows", "concatenate", "columns", "softcap", "rotate"};
  REQUIRE(operations<TestType>().size() == names.size());
  for (std::size_t index = 0; index < names.size(); ++index) CHECK(operations<TestType>()[index].name == names[index]);
}

TEST_CASE("every operation of the registry is tested here", "[registry]") {
  std::set<OperationName> tested = {OperationName::input};
  std::set<OperationName> masked;
  for (const Case<double>& of : cases<double>(1)) {
    tested.insert(of.operation);
    if (of.mask) masked.insert(of.operation);
  }
  for (std::size_t index = 0; index < operations<double>().size(); ++index) {
    const Operation<double>& operation = operations<double>()[index];
    INFO(operation.name);
    CHECK(tested.count(static_cast<OperationName>(index)) == 1);
    CHECK(masked.count(static_cast<OperationName>(index)) == (operation.takes_mask ? 1 : 0));
  }
}

TEMPLATE_TEST_CASE("an operation computes what it is defined to be, and its terms are the cell", "[registry]", double,
                   float) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const Case<TestType>& of : cases<TestType>(seed)) {
      INFO(of.name << ", seed " << seed);
      CHECK(first_fault(record(of).tape) == "");
    }
}

TEMPLATE_TEST_CASE("a step is zero outside of its support", "[registry]", double, float) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const Case<TestType>& of : cases<TestType>(seed)) {
      INFO(of.name << ", seed " << seed);
      CHECK(first_false_support(record(of).tape) == "");
    }
}

TEST_CASE("a gradient is the slope that finite differences measure", "[registry][gradient]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const Case<double>& of : cases<double>(seed))
      for (std::size_t input = 0; input < of.inputs.size(); ++input) {
        const auto result_at = [&](const Matrix<double>& x) {
          Case<double> moved = of;
          moved.inputs[input] = x;
          const Recorded<double> recorded = record(moved);
          return recorded.tape.value(recorded.result);
        };
        const Derivatives slopes(result_at, of.inputs[input]);
        const Matrix<double> value = result_at(of.inputs[input]);
        for (std::size_t row = 0; row < value.shape(0); ++row)
          for (std::size_t col = 0; col < value.shape(1); ++col) {
            INFO(of.name << ", seed " << seed << ", input " << input << ", of (" << row << ", " << col << ")");
            CHECK_THAT(gradient_of(of, row, col, input), AllClose(slopes.at(row, col), 1e-6, 1e-8));
          }
      }
}

TEST_CASE("a float gradient is the double one, rounded", "[registry][gradient]") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::vector<Case<double>> exact = cases<double>(seed);
    const std::vector<Case<float>> rounded = cases<float>(seed);
    for (std::size_t index = 0; index < exact.size(); ++index) {
      const Recorded<double> recorded = record(exact[index]);
      const Matrix<double>& value = recorded.tape.value(recorded.result);
      for (std::size_t input = 0; input < exact[index].inputs.size(); ++input)
        for (std::size_t row = 0; row < value.shape(0); ++row)
          for (std::size_t col = 0; col < value.shape(1); ++col) {
            INFO(exact[index].name << ", seed " << seed << ", input " << input);
            CHECK_THAT(converted<double>(gradient_of(rounded[index], row, col, input)),
                       AllClose(gradient_of(exact[index], row, col, input), 1e-5, 1e-6));
          }
    }
  }
}

TEMPLATE_TEST_CASE("the steps of a gradient can be explained like any other", "[registry][gradient]", double, float) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for_every_derivative<TestType>(
        seed, [&](const Case<TestType>& of, std::size_t row, std::size_t col, std::size_t input) {
          Recorded<TestType> recorded = record(of);
          const StepId gradient = record_gradient(recorded.tape, recorded.result, row, col, recorded.inputs[input]);
          INFO(of.name << ", seed " << seed << ", input " << input << ", of (" << row << ", " << col << ")");
          CHECK(recorded.tape.step(gradient).key == "grad/" + recorded.tape.step(recorded.inputs[input]).key);
          CHECK(same_shape(recorded.tape.value(gradient), of.inputs[input]));
          CHECK(first_fault(recorded.tape) == "");
          CHECK(first_false_support(recorded.tape) == "");
        });
}

// Puts `poison` into every cell of the inputs that no cell of the result reads.
template <class Real>
Case<Real> poisoned(const Case<Real>& of, double poison) {
  const Recorded<Real> recorded = record(of);
  Case<Real> result = of;
  for (const Cell& cell : hidden_cells(recorded))
    result.inputs[cell.step](cell.row, cell.col) = static_cast<Real>(poison);
  return result;
}

TEMPLATE_TEST_CASE("what is hidden has no influence, be it NaN or infinite", "[registry][mask]", double, float) {
  std::set<std::string_view> hiding;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const Case<TestType>& of : cases<TestType>(seed)) {
      const Recorded<TestType> clean = record(of);
      if (hidden_cells(clean).empty()) continue;
      hiding.insert(operation_record<TestType>(of.operation).name);
      for (double poison : {nan, inf, -inf}) {
        INFO(of.name << ", seed " << seed << ", hidden " << poison);
        const Recorded<TestType> dirty = record(poisoned(of, poison));
        CHECK_THAT(dirty.tape.value(dirty.result), Same(clean.tape.value(clean.result)));
      }
    }
  for (const Operation<TestType>& operation : operations<TestType>()) {
    INFO(operation.name << " has hidden something");
    const bool hides = operation.takes_mask || operation.name == "columns";
    CHECK(hiding.count(operation.name) == (hides ? 1 : 0));
  }
}

TEMPLATE_TEST_CASE("what is hidden is in no gradient, be it NaN or infinite", "[registry][mask][gradient]", double,
                   float) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for_every_derivative<TestType>(seed,
                                   [&](const Case<TestType>& of, std::size_t row, std::size_t col, std::size_t input) {
                                     const std::vector<Cell> hidden = hidden_cells(record(of));
                                     if (hidden.empty()) return;
                                     const Matrix<TestType> clean = gradient_of(of, row, col, input);
                                     for (const Cell& cell : hidden)
                                       if (cell.step == input) CHECK(clean(cell.row, cell.col) == 0);
                                     for (double poison : {nan, inf, -inf}) {
                                       INFO(of.name << ", seed " << seed << ", hidden " << poison << ", input " << input
                                                    << ", of (" << row << ", " << col << ")");
                                       CHECK_THAT(gradient_of(poisoned(of, poison), row, col, input), Same(clean));
                                     }
                                   });
}

TEMPLATE_TEST_CASE("a NaN that is not hidden shows in every cell that reads it, and in no other", "[registry]", double,
                   float) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const Case<TestType>& of : cases<TestType>(seed)) {
      const Recorded<TestType> clean = record(of);
      const Matrix<TestType>& value = clean.tape.value(clean.result);
      for (StepId input : clean.inputs)
        for (std::size_t cell = 0; cell < of.inputs[input].size(); ++cell) {
          Case<TestType> changed = of;
          changed.inputs[input].data()[cell] = static_cast<TestType>(nan);
          Matrix<TestType> expected = value;
          const std::size_t cols = of.inputs[input].shape(1);
          for (std::size_t row = 0; row < value.shape(0); ++row)
            for (std::size_t col = 0; col < value.shape(1); ++col)
              for (const Cell& read : definition(clean.tape, clean.tape.step(clean.result), row, col).reads)
                if (read == Cell{input, cell / cols, cell % cols}) expected(row, col) = static_cast<TestType>(nan);
          INFO(of.name << ", seed " << seed << ", cell " << cell << " of input " << input);
          const Recorded<TestType> recorded = record(changed);
          CHECK_THAT(recorded.tape.value(recorded.result), Same(expected));
        }
    }
}

TEST_CASE("a formula names the cell and what it is made from", "[registry]") {
  for (const Case<double>& of : cases<double>(1)) {
    const Recorded<double> recorded = record(of);
    const std::string tex = operation_record<double>(of.operation).formula(recorded.tape, recorded.result);
    INFO(tex);
    CHECK(tex.rfind("R_{i", 0) == 0);
    for (StepId input : recorded.inputs) CHECK(tex.find(recorded.tape.step(input).symbol + "_{") != std::string::npos);
    CHECK(std::count(tex.begin(), tex.end(), '{') == std::count(tex.begin(), tex.end(), '}'));
  }
}

}  // namespace
}  // namespace attention
