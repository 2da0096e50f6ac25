// The tape itself: keys, shapes, and where a step is zero by construction.
#include <functional>

#include "core/definition.hpp"
#include "core/matrices.hpp"
#include "core/operation.hpp"
#include "core/tape.hpp"

namespace attention {
namespace {

TEMPLATE_TEST_CASE("a key is on the tape once", "[tape]", double, float) {
  Tape<TestType> tape;
  const StepId x = tape.input("x", "x", table<TestType>({{1, 2}}));
  CHECK_THROWS_AS(tape.input("x", "y", table<TestType>({{3}})), std::invalid_argument);
  CHECK_THROWS_AS(tape.record(OperationName::exp, "x", "y", {x}), std::invalid_argument);
  CHECK(tape.steps().size() == 1);
  CHECK_THAT(tape.value(x), Same(table<TestType>({{1, 2}})));
}

TEMPLATE_TEST_CASE("a step is found by its key", "[tape]", double, float) {
  Tape<TestType> tape;
  CHECK_FALSE(tape.find("x"));
  const StepId x = tape.input("x", "x", table<TestType>({{1, 2}}));
  const StepId sum = tape.record(OperationName::row_sum, "head1/sum", "s", {x});
  CHECK(tape.find("x") == x);
  CHECK(tape.find("head1/sum") == sum);
  CHECK_FALSE(tape.find("head1"));
  CHECK_FALSE(tape.find(""));
  CHECK(tape.steps().size() == 2);
  CHECK(tape.step(sum).symbol == "s");
  CHECK(tape.step(sum).inputs == std::vector<StepId>{x});
}

TEMPLATE_TEST_CASE("what does not fit is refused and not written down", "[tape]", double, float) {
  Tape<TestType> tape;
  const StepId wide = tape.input("2x3", "a", filled<TestType>(2, 3, 1));
  const StepId tall = tape.input("3x2", "b", filled<TestType>(3, 2, 1));
  const StepId column = tape.input("2x1", "c", filled<TestType>(2, 1, 1));
  const StepId long_column = tape.input("3x1", "d", filled<TestType>(3, 1, 1));
  const std::size_t before = tape.steps().size();
  const auto refuses = [&](OperationName operation, std::vector<StepId> inputs, Attributes attributes = {},
                           std::optional<StepId> mask = std::nullopt) {
    INFO(operation_record<TestType>(operation).name);
    CHECK_THROWS_AS(tape.record(operation, "new", "n", inputs, attributes, mask), std::invalid_argument);
    CHECK(tape.steps().size() == before);
  };

  SECTION("the shapes of the inputs") {
    refuses(OperationName::matmul, {wide, wide});
    refuses(OperationName::matmul, {wide, tall}, {.transpose_left = true});
    refuses(OperationName::matmul, {wide, tall}, {.transpose_right = true});
    refuses(OperationName::add, {wide, tall});
    refuses(OperationName::add, {wide, wide, column});
    refuses(OperationName::multiply, {wide, column});
    refuses(OperationName::subtract_column, {wide, long_column});
    refuses(OperationName::subtract_column, {wide, wide});
    refuses(OperationName::divide_rows, {wide, long_column});
    refuses(OperationName::divide_rows, {wide, wide});
    refuses(OperationName::spread, {wide}, {.columns = 2});
    refuses(OperationName::concatenate, {wide, tall});
    refuses(OperationName::columns, {wide}, {.columns = 4});
    refuses(OperationName::columns, {wide}, {.columns = 2, .first = 2});
    refuses(OperationName::columns, {wide}, {.columns = 1, .first = static_cast<std::size_t>(-1)});
  }
  SECTION("the shape of the mask") {
    for (OperationName operation : {OperationName::select, OperationName::row_max, OperationName::is_max,
                                    OperationName::exp, OperationName::row_sum})
      refuses(operation, {wide}, {}, tall);
    refuses(OperationName::matmul, {wide, tall}, {}, tall);
    refuses(OperationName::matmul, {tall, tall}, {.transpose_left = true}, wide);
    refuses(OperationName::multiply, {wide, wide}, {}, tall);
    refuses(OperationName::subtract_column, {wide, column}, {}, column);
    refuses(OperationName::spread, {column}, {.columns = 2}, wide);
    refuses(OperationName::divide_rows, {wide, column}, {}, tall);
  }
  SECTION("a mask where none is taken") {
    refuses(OperationName::transpose, {wide}, {}, wide);
    refuses(OperationName::scale, {wide}, {}, wide);
    refuses(OperationName::add, {wide, wide}, {}, wide);
    refuses(OperationName::concatenate, {wide, wide}, {}, wide);
    refuses(OperationName::columns, {wide}, {.columns = 1}, wide);
  }
  SECTION("the number of inputs") {
    refuses(OperationName::input, {});
    refuses(OperationName::matmul, {wide});
    refuses(OperationName::matmul, {wide, tall, wide});
    refuses(OperationName::add, {wide});
    refuses(OperationName::exp, {});
    refuses(OperationName::exp, {wide, wide});
    refuses(OperationName::subtract_column, {wide});
    refuses(OperationName::concatenate, {wide});
    refuses(OperationName::concatenate, {wide, wide, wide});
  }
}

TEMPLATE_TEST_CASE("a cell outside of a step has no explanation and no gradient", "[tape]", double, float) {
  Tape<TestType> tape;
  const StepId x = tape.input("x", "x", filled<TestType>(2, 3, 1));
  for (const auto& [row, col] : {std::pair<std::size_t, std::size_t>{2, 0}, {0, 3}, {5, 5}}) {
    CHECK_THROWS_AS(explain(tape, x, row, col), std::out_of_range);
    CHECK_THROWS_AS(record_gradient(tape, x, row, col, x), std::out_of_range);
  }
  CHECK(tape.steps().size() == 1);
}

TEMPLATE_TEST_CASE("matrices without rows or columns are matrices", "[tape]", double, float) {
  Tape<TestType> tape;
  const StepId no_cols = tape.input("2x0", "a", filled<TestType>(2, 0, 0));
  const StepId no_rows = tape.input("0x3", "b", filled<TestType>(0, 3, 0));
  // An empty sum is 0, and the maximum of nothing is −∞.
  CHECK_THAT(tape.value(tape.record(OperationName::matmul, "product", "p", {no_cols, no_rows})),
             Same(filled<TestType>(2, 3, 0)));
  CHECK_THAT(tape.value(tape.record(OperationName::row_sum, "sum", "s", {no_cols})), Same(filled<TestType>(2, 1, 0)));
  CHECK_THAT(tape.value(tape.record(OperationName::row_max, "max", "m", {no_cols})),
             Same(filled<TestType>(2, 1, -infinity<TestType>)));
  CHECK(tape.value(tape.record(OperationName::transpose, "turned", "t", {no_rows})).shape(0) == 3);
  const StepId some = tape.input("2x1", "c", filled<TestType>(2, 1, 5));
  CHECK_THAT(tape.value(tape.record(OperationName::concatenate, "beside", "d", {no_cols, some})),
             Same(filled<TestType>(2, 1, 5)));
  CHECK(tape.value(tape.record(OperationName::columns, "none", "n", {some}, {.columns = 0, .first = 1})).shape(1) == 0);
  CHECK(first_fault(tape) == "");
}

// Every path that leads to, and away from, "zero where the mask forbids".
TEMPLATE_TEST_CASE("the support of a step is the mask outside of which it is zero", "[tape]", double, float) {
  Tape<TestType> tape;
  const StepId x = tape.input("x", "x", table<TestType>({{1, 2}, {3, 4}}));
  const StepId column = tape.input("c", "c", table<TestType>({{1}, {2}}));
  const StepId mask = tape.input("mask", "M", table<TestType>({{1, 0}, {0, 0}}));
  const StepId other = tape.input("other", "N", table<TestType>({{0, 1}, {1, 1}}));
  const auto record = [&](OperationName operation, std::vector<StepId> inputs, Attributes attributes = {},
                          std::optional<StepId> masked_by = std::nullopt) {
    return tape.record(operation, "step" + std::to_string(tape.steps().size()), "s", inputs, attributes, masked_by);
  };

  const StepId zeroed = record(OperationName::select, {x}, {}, mask);
  const StepId by_other = record(OperationName::select, {x}, {}, other);
  CHECK(tape.support(zeroed) == mask);
  CHECK(tape.support(record(OperationName::exp, {x}, {}, mask)) == mask);
  CHECK(tape.support(record(OperationName::multiply, {x, x}, {}, mask)) == mask);
  CHECK(tape.support(record(OperationName::spread, {column}, {.columns = 2}, mask)) == mask);
  CHECK(tape.support(record(OperationName::is_max, {x}, {}, mask)) == mask);
  CHECK(tape.support(record(OperationName::divide_rows, {x, column}, {}, mask)) == mask);
  CHECK(tape.support(record(OperationName::scale, {zeroed}, {.divisor = 3})) == mask);
  CHECK(tape.support(record(OperationName::add, {zeroed, zeroed})) == mask);

  CHECK_FALSE(tape.support(x));
  CHECK_FALSE(tape.support(record(OperationName::exp, {x})));
  CHECK_FALSE(tape.support(record(OperationName::select, {x}, {.fill = -inf}, mask)));
  CHECK_FALSE(tape.support(record(OperationName::subtract_column, {x, column}, {}, mask)));
  CHECK_FALSE(tape.support(record(OperationName::row_sum, {x}, {}, mask)));
  CHECK_FALSE(tape.support(record(OperationName::add, {zeroed, by_other})));
  CHECK_FALSE(tape.support(record(OperationName::add, {zeroed, x})));
  CHECK_FALSE(tape.support(record(OperationName::add, {x, zeroed})));
  // Its second row is empty, and holds 1/2 or NaN.
  CHECK_FALSE(tape.support(record(OperationName::divide_rows, {x, column}, {.empty_row = EmptyRow::uniform}, mask)));
  CHECK_FALSE(tape.support(record(OperationName::divide_rows, {x, column}, {.empty_row = EmptyRow::nan}, mask)));
  CHECK(first_false_support(tape) == "");
  CHECK(first_fault(tape) == "");
}

TEMPLATE_TEST_CASE("a gradient", "[tape][gradient]", double, float) {
  Tape<TestType> tape;
  const StepId x = tape.input("x", "x", table<TestType>({{1, 2}}));
  const StepId y = tape.input("y", "y", table<TestType>({{5}}));
  const StepId exp = tape.record(OperationName::exp, "exp", "E", {x});

  SECTION("of a step by itself is 1 at the cell") {
    CHECK_THAT(tape.value(record_gradient(tape, exp, 0, 1, exp)), Same(table<TestType>({{0, 1}})));
  }
  SECTION("by what the step does not depend on is 0, in the shape of that step") {
    CHECK_THAT(tape.value(record_gradient(tape, exp, 0, 1, y)), Same(table<TestType>({{0}})));
  }
  SECTION("by what comes later is 0") {
    CHECK_THAT(tape.value(record_gradient(tape, x, 0, 1, exp)), Same(table<TestType>({{0, 0}})));
  }
  SECTION("is the sum of its shares where a step is used more than once") {
    // d(x·x + x)/dx = 2x + 1
    const StepId square = tape.record(OperationName::multiply, "square", "q", {x, x});
    const StepId both = tape.record(OperationName::add, "both", "b", {square, x});
    CHECK_THAT(tape.value(record_gradient(tape, both, 0, 1, x)), Same(table<TestType>({{0, 5}})));
    CHECK(tape.find("grad/x/square/0"));
    CHECK(tape.find("grad/x/square/1"));
    CHECK(tape.find("grad/x/both"));
    CHECK(first_fault(tape) == "");
  }
  SECTION("records nothing about steps on no way to the input") {
    const StepId product = tape.record(OperationName::matmul, "product", "P", {y, exp});
    record_gradient(tape, product, 0, 0, y);
    CHECK(tape.find("grad/y"));
    CHECK_FALSE(tape.find("grad/exp"));
    CHECK_FALSE(tape.find("grad/x"));
  }
}

}  // namespace
}  // namespace attention
