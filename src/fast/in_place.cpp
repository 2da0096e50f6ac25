#include "fast/in_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fast/exp2.hpp"
#include "fast/gemm.hpp"

namespace attention::fast {

namespace {

// One example, or all of them as one tall matrix.
struct Table {
  const float* inputs[2];
  const float* mask;
  float* value;
  std::size_t rows, cols;  // of the first input
};

// Operations that go row by row do not see where an example ends.
template <class Compute>
void row_by_row(const Job& job, Compute compute) {
  const auto is_shared = [](const Matrices& each) {
    return each.shared;
  };
  const bool any_shared =
      std::any_of(job.inputs.begin(), job.inputs.end(), is_shared) || (job.mask && job.mask->shared);
  const std::size_t turns = job.value.shared || any_shared ? (job.value.shared ? 1 : job.examples) : 1;
  const std::size_t height = job.value.shared || any_shared ? 1 : job.examples;
  for (std::size_t example = 0; example < turns; ++example) {
    Table table{{nullptr, nullptr},
                job.mask ? job.mask->of(example) : nullptr,
                job.value.of(example),
                job.inputs[0].rows * height,
                job.inputs[0].cols};
    for (std::size_t slot = 0; slot < std::min<std::size_t>(job.inputs.size(), 2); ++slot)
      table.inputs[slot] = job.inputs[slot].of(example);
    compute(table);
  }
}

// All bits where the mask forbids.
Bits forbidden(const float* mask) { return load(mask) == Vector{}; }

// at(cell) where the mask allows, `else_value` elsewhere.
template <class At>
void fill_allowed(const Table& table, float* to, std::size_t first, std::size_t count, float else_value, At at) {
  if (!table.mask) return fill(to, count, at);
  const float* const mask = table.mask + first;
  fill(to, count, [&](std::size_t cell) {
    return choose(forbidden(mask + cell), all(else_value), at(cell));
  });
}

template <class At>
void cell_by_cell(const Job& job, float else_value, At at) {
  row_by_row(job, [&](const Table& table) {
    fill_allowed(table, table.value, 0, table.rows * table.cols, else_value, [&](std::size_t cell) {
      return at(table, cell);
    });
  });
}

// A row of the first input, `else_value` where the mask forbids and from its end on, four at a time.
template <class Take>
void take_row(const Table& table, std::size_t row, float else_value, Take take) {
  const float *x = table.inputs[0] + row * table.cols, *mask = table.mask ? table.mask + row * table.cols : nullptr;
  constexpr Bits behind[] = {{0, 0, 0, 0}, {0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}};
  for (std::size_t col = 0; col < table.cols; col += lanes) {
    Bits left_out = mask ? forbidden(mask + col) : Bits{};
    if (col + lanes > table.cols) left_out |= behind[table.cols - col];
    take(choose(left_out, all(else_value), load(x + col)), left_out);
  }
}

float row_sum(const Table& table, std::size_t row) {
  Vector total{};
  take_row(table, row, 0, [&](Vector x, Bits) {
    total += x;
  });
  return sum(total);
}

// NaN where one of its cells is, −∞ where none is allowed.
float row_max(const Table& table, std::size_t row) {
  Vector most = all(-infinity<float>);
  Bits unordered{};
  take_row(table, row, -infinity<float>, [&](Vector x, Bits) {
    most = larger(most, x);
    unordered |= x != x;
  });
  return any(unordered) ? std::numeric_limits<float>::quiet_NaN() : largest(most);
}

// What a cell at the row's maximum has of it: 1, shared between ties.
void is_max(const Table& table) {
  for (std::size_t row = 0; row < table.rows; ++row) {
    const float max = row_max(table, row);
    Vector ties{};
    take_row(table, row, 0, [&](Vector x, Bits left_out) {
      ties += choose((x == all(max)) & ~left_out, all(1), all(0));
    });
    const float share = std::isnan(max) ? max : 1 / sum(ties);
    const float* const x = table.inputs[0] + row * table.cols;
    fill_allowed(table, table.value + row * table.cols, row * table.cols, table.cols, 0, [&](std::size_t col) {
      return std::isnan(max) ? all(max) : choose(load(x + col) == all(max), all(share), all(0));
    });
  }
}

Vector exponential(const Exp2& exp2, Vector x) {
  const Vector power = x * all(log2_e), least = all(Exp2::least_normal), most = all(127);
  if (!any(~((power >= least) & (power <= most)))) return exp2.normal(power);
  return Vector{std::exp(x[0]), std::exp(x[1]), std::exp(x[2]), std::exp(x[3])};
}

float empty_value(EmptyRow policy, std::size_t cols) {
  switch (policy) {
    case EmptyRow::nan: return std::numeric_limits<float>::quiet_NaN();
    case EmptyRow::uniform: return 1 / static_cast<float>(cols);
    case EmptyRow::zero: break;
  }
  return 0;
}

void divide_rows(const Table& table, EmptyRow policy) {
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::size_t first = row * table.cols;
    const float *x = table.inputs[0] + first, *mask = table.mask ? table.mask + first : nullptr;
    if (mask && std::all_of(mask, mask + table.cols, [](float pair) {
          return pair == 0;
        })) {
      std::fill_n(table.value + first, table.cols, empty_value(policy, table.cols));
      continue;
    }
    const Vector divisor = all(table.inputs[1][row]);
    fill_allowed(table, table.value + first, first, table.cols, 0, [&](std::size_t col) {
      return load(x + col) / divisor;
    });
  }
}

View view(const float* data, std::size_t cols, bool transposed) {
  return transposed ? View{data, 1, cols} : View{data, cols, 1};
}

std::size_t length(const Matrices& each, bool transposed, bool of_rows) {
  return transposed == of_rows ? each.cols : each.rows;
}

// What a mask forbids is 0 on the left; only a number that is not finite on the right would not stay away by that.
void multiply(const Job& job) {
  const Matrices &left = job.inputs[0], &right = job.inputs[1];
  const bool across_left = job.attributes.transpose_left, across_right = job.attributes.transpose_right;
  const std::size_t rows = length(left, across_left, true), depth = length(left, across_left, false);
  const std::size_t cols = length(right, across_right, false);
  const bool is_one_product = !across_left && !left.shared && right.shared && !job.mask;
  const std::size_t turns = job.value.shared || is_one_product ? 1 : job.examples;
  const std::size_t height = is_one_product ? rows * job.examples : rows;
  for (std::size_t example = 0; example < turns; ++example) {
    const float* from = left.of(example);
    if (job.mask) {
      const float *cells = from, *mask = job.mask->of(example);
      float* const allowed = job.scratch + gemm_scratch(height, cols, depth);
      fill(allowed, left.cells(), [&](std::size_t cell) {
        return choose(forbidden(mask + cell), all(0), load(cells + cell));
      });
      from = allowed;
    }
    gemm(height, cols, depth, view(from, left.cols, across_left), view(right.of(example), right.cols, across_right),
         job.value.of(example), cols, false, job.scratch);
  }
}

bool has_strange_numbers(const Job& job, const Matrices& each) {
  return zero_if_finite(each.data, each.cells() * (each.shared ? 1 : job.examples)) != 0;
}

Matrix<float> matrix_of(const Matrices& each, std::size_t example) {
  Matrix<float> matrix = filled<float>(each.rows, each.cols, 0);
  std::copy_n(each.of(example), each.cells(), matrix.data());
  return matrix;
}

void leave_to_core(const Job& job) {
  for (std::size_t example = 0; example < (job.value.shared ? 1 : job.examples); ++example) {
    std::vector<Matrix<float>> inputs;
    for (const Matrices& each : job.inputs) inputs.push_back(matrix_of(each, example));
    Arguments<float> arguments;
    for (const Matrix<float>& input : inputs) arguments.inputs.push_back(&input);
    const Matrix<float> mask = job.mask ? matrix_of(*job.mask, example) : Matrix<float>();
    if (job.mask) arguments.mask = &mask;
    arguments.attributes = &job.attributes;
    const Matrix<float> value = operation_record<float>(job.operation).forward(arguments);
    std::copy_n(value.data(), value.size(), job.value.of(example));
  }
}

}  // namespace

void compute(const Job& job) {
  const Attributes& attributes = job.attributes;
  switch (job.operation) {
    case OperationName::matmul:
      return job.mask && has_strange_numbers(job, job.inputs[1]) ? leave_to_core(job) : multiply(job);
    case OperationName::scale: {
      const Vector factor = all(static_cast<float>(attributes.factor));
      const Vector divisor = all(static_cast<float>(attributes.divisor));
      return cell_by_cell(job, 0, [&](const Table& table, std::size_t cell) {
        return load(table.inputs[0] + cell) * factor / divisor;
      });
    }
    case OperationName::add: {
      Job sum = job;
      for (std::size_t slot = 1; slot < job.inputs.size(); ++slot) {
        sum.inputs = {slot == 1 ? job.inputs[0] : job.value, job.inputs[slot]};
        cell_by_cell(sum, 0, [](const Table& table, std::size_t cell) {
          return load(table.inputs[0] + cell) + load(table.inputs[1] + cell);
        });
      }
      return;
    }
    case OperationName::multiply:
      return cell_by_cell(job, 0, [](const Table& table, std::size_t cell) {
        return load(table.inputs[0] + cell) * load(table.inputs[1] + cell);
      });
    case OperationName::select:
      return cell_by_cell(job, static_cast<float>(attributes.fill), [](const Table& table, std::size_t cell) {
        return load(table.inputs[0] + cell);
      });
    case OperationName::exp: {
      const Exp2 exp2;
      return cell_by_cell(job, 0, [&](const Table& table, std::size_t cell) {
        return exponential(exp2, load(table.inputs[0] + cell));
      });
    }
    case OperationName::row_max:
      return row_by_row(job, [](const Table& table) {
        for (std::size_t row = 0; row < table.rows; ++row) table.value[row] = row_max(table, row);
      });
    case OperationName::row_sum:
      return row_by_row(job, [](const Table& table) {
        for (std::size_t row = 0; row < table.rows; ++row) table.value[row] = row_sum(table, row);
      });
    case OperationName::is_max: return row_by_row(job, is_max);
    case OperationName::subtract_column:
      return row_by_row(job, [](const Table& table) {
        for (std::size_t row = 0; row < table.rows; ++row) {
          const std::size_t first = row * table.cols;
          const Vector column = all(table.inputs[1][row]);
          fill_allowed(table, table.value + first, first, table.cols, -infinity<float>, [&](std::size_t col) {
            return load(table.inputs[0] + first + col) - column;
          });
        }
      });
    case OperationName::spread:
      return row_by_row(job, [&](const Table& table) {
        const std::size_t cols = attributes.columns;
        for (std::size_t row = 0; row < table.rows; ++row)
          fill_allowed(table, table.value + row * cols, row * cols, cols, 0, [&](std::size_t) {
            return all(table.inputs[0][row]);
          });
      });
    case OperationName::divide_rows:
      if (job.mask && job.mask->cols != job.value.cols) return leave_to_core(job);
      return row_by_row(job, [&](const Table& table) {
        divide_rows(table, attributes.empty_row);
      });
    case OperationName::columns:
      return row_by_row(job, [&](const Table& table) {
        for (std::size_t row = 0; row < table.rows; ++row)
          std::copy_n(table.inputs[0] + row * table.cols + attributes.first, attributes.columns,
                      table.value + row * attributes.columns);
      });
    case OperationName::concatenate:
      return row_by_row(job, [&](const Table& table) {
        const std::size_t left = table.cols, right = job.inputs[1].cols;
        float* to = table.value;
        for (std::size_t row = 0; row < table.rows; ++row) {
          to = std::copy_n(table.inputs[0] + row * left, left, to);
          to = std::copy_n(table.inputs[1] + row * right, right, to);
        }
      });
    default: return leave_to_core(job);
  }
}

std::size_t scratch_of(const Job& job) {
  if (job.operation != OperationName::matmul) return 0;
  const Matrices &left = job.inputs[0], &right = job.inputs[1];
  const std::size_t cols = length(right, job.attributes.transpose_right, false);
  const std::size_t tallest = std::max(left.rows, left.cols) * (left.shared ? 1 : job.examples);
  return gemm_scratch(tallest, cols, tallest) + left.cells() + lanes;
}

void sum_of_products(const Job& job) {
  const Matrices &left = job.inputs[0], &right = job.inputs[1];
  gemm(left.cols, right.cols, left.rows * job.examples, view(left.data, left.cols, true),
       view(right.data, right.cols, false), job.value.data, right.cols, false, job.scratch);
}

void sum_of_examples(const Job& job) {
  const Matrices& each = job.inputs[0];
  float* const sum = job.value.data;
  std::copy_n(each.data, each.cells(), sum);
  for (std::size_t example = 1; example < job.examples; ++example) {
    const float* const from = each.of(example);
    fill(sum, each.cells(), [&](std::size_t cell) {
      return load(sum + cell) + load(from + cell);
    });
  }
}

}  // namespace attention::fast
