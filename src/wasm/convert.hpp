// Values across the boundary between JavaScript and the core.
//
// In: a request is a plain object, already checked by web/module/. Its numbers lie in one scratch arena, input after
// input, row by row: doubles, or floats where the request says so. Out: plain objects and owned copies of the numbers,
// never views, which a growing memory would empty. Errors go out as data.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/attention.hpp"
#include "core/explain.hpp"
#include "core/operation.hpp"
#include "core/positional.hpp"

namespace attention::wasm {

using emscripten::val;

inline std::vector<double>& arena() {
  static std::vector<double> numbers;
  return numbers;
}

// Makes room for `count` doubles and says where they go, in bytes from the start of memory; 0 when there is no room.
inline std::uintptr_t reserve(std::size_t count) {
  try {
    arena().resize(count);
    return reinterpret_cast<std::uintptr_t>(arena().data());
  } catch (const std::exception&) {
    return 0;
  }
}

inline std::string text(const val& object, const char* name) { return object[name].as<std::string>(); }
inline std::size_t whole(const val& object, const char* name) { return object[name].as<std::size_t>(); }
inline bool has(const val& object, const char* name) { return !object[name].isUndefined(); }
inline std::optional<std::size_t> whole_if_given(const val& object, const char* name) {
  return has(object, name) ? std::optional<std::size_t>(whole(object, name)) : std::nullopt;
}

// The tensors of a request by name, where they lie in the arena: request.inputs = [{ name, shape }].
template <class Real>
class Inputs {
 public:
  explicit Inputs(const val& request) {
    are_floats_ = wasm::has(request, "floats");
    const val list = request["inputs"];
    const std::size_t count = whole(list, "length");
    std::size_t first = 0;
    for (std::size_t index = 0; index < count; ++index) {
      const val input = list[index];
      Entry entry{text(input, "name"), {}, first, 1};
      const val shape = input["shape"];
      for (std::size_t axis = 0; axis < whole(shape, "length"); ++axis) {
        entry.shape.push_back(shape[axis].template as<std::size_t>());
        entry.count *= entry.shape.back();
      }
      first += entry.count;
      entries_.push_back(std::move(entry));
    }
    if (first > arena().size() * (are_floats_ ? 2 : 1))
      throw std::out_of_range("the inputs are longer than what was written");
  }

  bool has(const std::string& name) const { return entry(name) != nullptr; }

  // Throws when it is missing or no matrix.
  Matrix<Real> get(const std::string& name) const {
    const Entry& given = existing(name);
    if (given.shape.size() != 2) throw AttentionError("bad-rank", name, name + " must be a matrix, [rows, columns]");
    Matrix<Real> matrix = filled<Real>(given.shape[0], given.shape[1], 0);
    read(given, matrix.data());
    return matrix;
  }

  std::optional<Matrix<Real>> find(const std::string& name) const {
    return has(name) ? std::optional<Matrix<Real>>(get(name)) : std::nullopt;
  }

  std::optional<Tensor<Real>> find_tensor(const std::string& name) const {
    return has(name) ? std::optional<Tensor<Real>>(tensor(name)) : std::nullopt;
  }

  Tensor<Real> tensor(const std::string& name) const {
    const Entry& given = existing(name);
    Tensor<Real> result = zeros<Real>(given.shape);
    read(given, result.data());
    return result;
  }

 private:
  struct Entry {
    std::string name;
    std::vector<std::size_t> shape;
    std::size_t first;
    std::size_t count;
  };

  const Entry* entry(const std::string& name) const {
    for (const Entry& each : entries_)
      if (each.name == name) return &each;
    return nullptr;
  }

  const Entry& existing(const std::string& name) const {
    if (const Entry* given = entry(name)) return *given;
    throw AttentionError("missing", name, name + " is missing");
  }

  void read(const Entry& given, Real* cells) const {
    if (are_floats_)
      std::copy_n(reinterpret_cast<const float*>(arena().data()) + given.first, given.count, cells);
    else
      std::copy_n(arena().data() + given.first, given.count, cells);
  }

  std::vector<Entry> entries_;
  bool are_floats_ = false;
};

template <class Real>
AttentionInputs<Real> attention_inputs(const Inputs<Real>& inputs) {
  return {inputs.get("Q"), inputs.get("K"), inputs.get("V"), inputs.find("mask"), inputs.find("bias")};
}

// Calls `call` with a zero of the type of number that the request asks for.
template <class Call>
void in_precision(const val& request, Call call) {
  if (text(request, "precision") == "float32")
    call(float());
  else
    call(double());
}

template <class Choice>
struct Named {
  const char* name;
  Choice choice;
};

template <class Choice, std::size_t count>
Choice choice_of(const val& object, const char* field, const Named<Choice> (&choices)[count]) {
  const std::string name = text(object, field);
  for (const Named<Choice>& named : choices)
    if (name == named.name) return named.choice;
  throw AttentionError("not-a-choice", field, std::string(field) + " cannot be '" + name + "'");
}

inline SoftmaxKind softmax_kind(const val& options) {
  static constexpr Named<SoftmaxKind> kinds[] = {{"stable", SoftmaxKind::stable}, {"plain", SoftmaxKind::plain}};
  return choice_of(options, "softmax", kinds);
}

inline AttentionOptions attention_options(const val& options) {
  static constexpr Named<Causal> causals[] = {
      {"none", Causal::none}, {"top-left", Causal::top_left}, {"bottom-right", Causal::bottom_right}};
  static constexpr Named<EmptyRow> empty_rows[] = {
      {"zero", EmptyRow::zero}, {"nan", EmptyRow::nan}, {"uniform", EmptyRow::uniform}};
  AttentionOptions result;
  if (has(options, "scale")) result.scale = options["scale"].as<double>();
  if (has(options, "softcap")) result.softcap = options["softcap"].as<double>();
  result.temperature = options["temperature"].as<double>();
  result.sight.causal = choice_of(options, "causal", causals);
  result.softmax = softmax_kind(options);
  result.compare_softmax = options["compareSoftmax"].as<bool>();
  result.empty_row = choice_of(options, "emptyRow", empty_rows);
  return result;
}

inline SoftmaxOptions softmax_options(const val& options) {
  return {options["factor"].as<double>(), options["shift"].as<double>(), options["temperature"].as<double>(),
          softmax_kind(options), options["compareSoftmax"].as<bool>()};
}

inline SinusoidalOptions sinusoidal_options(const val& options) {
  static constexpr Named<Layout> layouts[] = {{"interleaved", Layout::interleaved}, {"halves", Layout::halves}};
  return {options["base"].as<double>(), choice_of(options, "layout", layouts), options["offset"].as<double>()};
}

inline PositionOptions position_options(const val& options) {
  static constexpr Named<Encoding> encodings[] = {{"sinusoidal", Encoding::sinusoidal},
                                                  {"none", Encoding::none},
                                                  {"rotary", Encoding::rotary},
                                                  {"alibi", Encoding::alibi}};
  static constexpr Named<Combine> combines[] = {{"add", Combine::add}, {"concatenate", Combine::concatenate}};
  return {choice_of(options, "encoding", encodings),
          sinusoidal_options(options),
          choice_of(options, "combine", combines),
          whole(options, "width"),
          whole(options, "heads"),
          whole(options, "head")};
}

// An owned Float64Array, or Float32Array of floats.
template <class Numbers>
val owned_copy(const Numbers& numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data())).template call<val>("slice");
}

template <class Numbers>
val shape_of(const Numbers& tensor) {
  val shape = val::array();
  for (std::size_t axis = 0; axis < tensor.dimension(); ++axis) shape.set(axis, tensor.shape(axis));
  return shape;
}

template <class Numbers>
val tensor_object(const Numbers& tensor) {
  val result = val::object();
  result.set("shape", shape_of(tensor));
  result.set("data", owned_copy(tensor));
  return result;
}

// { key, op, inputs: [key], mask?: key, shape, symbol, tex, values }, and the constants of a product or a scaling.
template <class Real>
val step_object(const Tape<Real>& tape, StepId id) {
  const Step<Real>& step = tape.step(id);
  const Operation<Real>& operation = operation_record<Real>(step.operation);
  val inputs = val::array();
  for (std::size_t slot = 0; slot < step.inputs.size(); ++slot) inputs.set(slot, tape.step(step.inputs[slot]).key);
  val result = val::object();
  result.set("key", step.key);
  result.set("op", std::string(operation.name));
  result.set("inputs", inputs);
  if (step.mask) result.set("mask", tape.step(*step.mask).key);
  result.set("shape", shape_of(step.value));
  result.set("symbol", step.symbol);
  result.set("tex", operation.formula(tape, id));
  result.set("values", owned_copy(step.value));
  if (step.operation == OperationName::matmul) {
    result.set("transposeLeft", step.attributes.transpose_left);
    result.set("transposeRight", step.attributes.transpose_right);
  }
  if (step.operation == OperationName::scale) {
    result.set("factor", step.attributes.factor);
    result.set("divisor", step.attributes.divisor);
  }
  return result;
}

// { form, terms: [{ cells: [{ key, row, col, value }], value, factor, divisor }], result }
template <class Real>
val explanation_object(const Tape<Real>& tape, const Explanation<Real>& explanation) {
  static constexpr const char* forms[] = {"sum", "max", "map"};
  val terms = val::array();
  for (const Term<Real>& term : explanation.terms) {
    val cells = val::array();
    for (const Cell& cell : term.cells) {
      val object = val::object();
      object.set("key", tape.step(cell.step).key);
      object.set("row", cell.row);
      object.set("col", cell.col);
      object.set("value", static_cast<double>(tape.value(cell.step)(cell.row, cell.col)));
      cells.call<void>("push", object);
    }
    val object = val::object();
    object.set("cells", cells);
    object.set("value", static_cast<double>(term.value));
    object.set("factor", term.factor);
    object.set("divisor", term.divisor);
    terms.call<void>("push", object);
  }
  val result = val::object();
  result.set("form", std::string(forms[static_cast<std::size_t>(explanation.form)]));
  result.set("terms", terms);
  result.set("result", static_cast<double>(explanation.result));
  return result;
}

inline val failure(const std::string& code, const std::string& field, const std::string& message) {
  val error = val::object();
  error.set("code", code);
  error.set("field", field);
  error.set("message", message);
  val result = val::object();
  result.set("ok", false);
  result.set("error", error);
  return result;
}

inline val out_of_memory() { return failure("out-of-memory", "", "not enough memory for numbers of this size"); }

// Runs `fill(question, result)`; whatever it throws becomes { ok: false, error }. One function for all calls: each of
// them would otherwise carry these handlers.
[[gnu::noinline]] inline val answer_of(void (*fill)(const void* question, val& result), const void* question) {
  try {
    val result = val::object();
    result.set("ok", true);
    fill(question, result);
    return result;
  } catch (const AttentionError& error) {
    return failure(error.code, error.field, error.what());
  } catch (const std::out_of_range& error) {
    return failure("no-such-cell", "cell", error.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {  // what a container says before it would ask for memory
    return out_of_memory();
  } catch (const std::exception& error) {
    return failure("failed", "", error.what());
  }
}

// Runs `call(result)`, which fills in the answer.
template <class Call>
val answer(const Call& call) {
  return answer_of(
      [](const void* question, val& result) {
        (*static_cast<const Call*>(question))(result);
      },
      &call);
}

}  // namespace attention::wasm
