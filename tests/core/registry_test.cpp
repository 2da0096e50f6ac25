// Every operation of the registry, for random shapes and numbers: values, explanations and gradients.
#include <set>

#include "core/definition.hpp"
#include "core/finite_differences.hpp"
#include "core/matrices.hpp"
#include "core/operation.hpp"

namespace attention {
namespace {

// One operation with everything it is computed from. A slot is the index of the input that goes there.
template <class Real>
struct Case {
  std::string name;
  OperationName operation;
  std::vector<Matrix<Real>> inputs;
  std::vector<std::size_t> slots;
  Attributes attributes;
  std::optional<Matrix<Real>> mask;
};

template <class Real>
struct Recorded {
  Tape<Real> tape;
  std::vector<StepId> inputs;
  StepId result;
};

template <class Real>
Recorded<Real> record(const Case<Real>& of) {
  Recorded<Real> recorded{};
  for (const Matrix<Real>& input : of.inputs) {
    const std::string letter(1, static_cast<char>('a' + recorded.inputs.size()));
    recorded.inputs.push_back(recorded.tape.input(letter, letter, input));
  }
  std::optional<StepId> mask;
  if (of.mask) mask = recorded.tape.input("mask", "M", *of.mask);
  std::vector<StepId> slots;
  for (std::size_t input : of.slots) slots.push_back(recorded.inputs[input]);
  recorded.result = recorded.tape.record(of.operation, "result", "R", slots, of.attributes, mask);
  return recorded;
}

// Cases for every operation that computes, each with and without a mask where it takes one.
template <class Real>
std::vector<Case<Real>> cases(std::uint64_t seed) {
  Random random(seed);
  std::vector<Case<Real>> list;
  const std::size_t n = random.whole(1, 4), m = random.whole(1, 4);
  const auto any = [&](std::size_t rows, std::size_t cols) {
    return random.matrix<Real>(rows, cols);
  };
  const auto positive = [&](std::size_t rows, std::size_t cols) {
    return random.matrix<Real>(rows, cols, 0.5, 2);
  };

  // With a mask of the shape [rows, cols] and without.
  const auto add = [&](std::string name, OperationName operation, std::vector<Matrix<Real>> inputs, std::size_t rows,
                       std::size_t cols, Attributes attributes = {}) {
    std::vector<std::size_t> slots;
    while (slots.size() < inputs.size()) slots.push_back(slots.size());
    list.push_back({name, operation, inputs, slots, attributes, std::nullopt});
    if (operation_record<Real>(operation).takes_mask)
      list.push_back({name + ", masked", operation, inputs, slots, attributes, random.mask<Real>(rows, cols)});
  };

  for (bool left : {false, true})
    for (bool right : {false, true}) {
      const std::size_t inner = random.whole(1, 4);
      const std::size_t rows = left ? inner : n, cols = left ? n : inner;
      add(std::string("matmul") + (left ? ", left transposed" : "") + (right ? ", right transposed" : ""),
          OperationName::matmul, {any(rows, cols), right ? any(m, inner) : any(inner, m)}, rows, cols,
          {.transpose_left = left, .transpose_right = right});
    }
  add("transpose", OperationName::transpose, {any(n, m)}, n, m);
  const Attributes factor{.factor = random.number(-2, 2), .divisor = random.number(0.5, 2)};
  add("scale", OperationName::scale, {any(n, m)}, n, m, factor);
  add("add", OperationName::add, {any(n, m), any(n, m)}, n, m);
  add("add three", OperationName::add, {any(n, m), any(n, m), any(n, m)}, n, m);
  add("multiply", OperationName::multiply, {any(n, m), any(n, m)}, n, m);
  add("select, else 0", OperationName::select, {any(n, m)}, n, m);
  add("select, else -inf", OperationName::select, {any(n, m)}, n, m, {.fill = -inf});
  add("row_max", OperationName::row_max, {any(n, m)}, n, m);
  add("is_max", OperationName::is_max, {any(n, m)}, n, m);
  add("subtract_column", OperationName::subtract_column, {any(n, m), any(n, 1)}, n, m);
  add("exp", OperationName::exp, {any(n, m)}, n, m);
  add("row_sum", OperationName::row_sum, {any(n, m)}, n, m);
  add("spread", OperationName::spread, {any(n, 1)}, n, m, {.columns = m});
  for (EmptyRow policy : {EmptyRow::zero, EmptyRow::nan, EmptyRow::uniform})
    add("divide_rows", OperationName::divide_rows, {any(n, m), positive(n, 1)}, n, m, {.empty_row = policy});
  add("divide_rows, wider mask", OperationName::divide_rows, {any(n, m), positive(n, 1)}, n, m + 1);
  const std::size_t left = random.whole(0, 2), right = random.whole(0, 2);
  add("concatenate", OperationName::concatenate, {any(n, m), any(n, right + 1)}, n, m);
  add("columns", OperationName::columns, {any(n, left + m + right)}, n, m, {.columns = m, .first = left});

  add("softcap", OperationName::softcap, {any(n, m)}, n, m, {.factor = random.number(0.5, 3)});
  for (Layout layout : {Layout::interleaved, Layout::halves}) {
    const std::size_t pairs = random.whole(1, 3), rest = random.whole(0, 2);
    add("rotate", OperationName::rotate, {any(n, 2 * pairs + rest)}, n, m,
        {.columns = 2 * pairs, .layout = layout, .base = random.number(1, 1000), .offset = random.number(-5, 5)});
  }

  // One step in both places: its gradient is the sum of two shares.
  const std::size_t both = 0;
  list.push_back({"a + a", OperationName::add, {any(n, m)}, {both, both}, {}, std::nullopt});
  list.push_back({"a * a", OperationName::multiply, {any(n, m)}, {both, both}, {}, random.mask<Real>(n, m)});
  list.push_back({"a - a", OperationName::subtract_column, {any(n, 1)}, {both, both}, {}, std::nullopt});
  list.push_back({"a beside a", OperationName::concatenate, {any(n, m)}, {both, both}, {}, std::nullopt});
  list.push_back({"a / a", OperationName::divide_rows, {positive(n, 1)}, {both, both}, {}, std::nullopt});
  for (bool left : {false, true})
    for (bool right : {false, true})
      for (bool masked : {false, true}) {
        const std::size_t cols = left == right ? n : m;
        list.push_back({"matmul of a with itself",
                        OperationName::matmul,
                        {any(n, cols)},
                        {both, both},
                        {.transpose_left = left, .transpose_right = right},
                        masked ? std::optional(random.mask<Real>(n, cols)) : std::nullopt});
      }
  return list;
}

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
