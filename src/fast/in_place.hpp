// The operations of the tape on floats, for many examples at once, written where their values belong.
#pragma once

#include <vector>

#include "core/operation.hpp"

namespace attention::fast {

// Matrices of one shape, one behind the other: one for each example, or one for all of them. Behind the last number
// there is room for three more, which may be read.
struct Matrices {
  float* data;
  std::size_t rows, cols;
  bool shared;

  std::size_t cells() const { return rows * cols; }
  float* of(std::size_t example) const { return shared ? data : data + example * cells(); }
};

// A step to be computed for all examples.
struct Job {
  OperationName operation;
  Attributes attributes;
  std::vector<Matrices> inputs;
  std::optional<Matrices> mask;
  Matrices value;
  std::size_t examples;
  float* scratch = nullptr;  // room for scratch_of(job) numbers
};

// What core's forward answers for each example. Sums are added up in another order, within length·2⁻²⁴ of the sum of
// the sizes of their terms; e^x is within 2e-7 + |x|·2⁻²³ of itself. Softcap, rotate, transpose, and what a mask must
// keep away that is not finite, are computed by core.
void compute(const Job& job);

// The sum over all examples of a product A_eᵀ·B_e without a mask, of steps that every example has its own of: one
// product, in which the rows of all examples follow each other.
void sum_of_products(const Job& job);

// The sum over all examples of the one input.
void sum_of_examples(const Job& job);

std::size_t scratch_of(const Job& job);

}  // namespace attention::fast
