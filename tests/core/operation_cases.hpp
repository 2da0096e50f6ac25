// Cases for every operation of the registry, for random shapes and numbers.
#pragma once

#include <string>
#include <vector>

#include "core/matrices.hpp"
#include "core/operation.hpp"

namespace attention {

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

}  // namespace attention
