// rotate: pairs of columns turned by an angle that grows with the row (rotary positions: Su et al. 2021). Row p turns
// its pair r by (p + offset)·base^(−2r/d), d being how many columns are turned; the others stay as they are.
#include "core/frequency.hpp"
#include "core/operations/common.hpp"
#include "core/sine_cosine.hpp"

namespace attention {

namespace {

// What becomes of one cell: its own share, and that of the other column of its pair.
struct Turn {
  double own, across;
  std::size_t partner;
};

Turn turn_of(const Attributes& with, std::size_t row, std::size_t col) {
  const std::size_t turned = with.columns, pairs = turned / 2;
  if (col >= turned) return {1, 0, col};
  const bool interleaved = with.layout == Layout::interleaved;
  const std::size_t pair = interleaved ? col / 2 : col % pairs;
  const bool first = interleaved ? col % 2 == 0 : col < pairs;
  const double position = static_cast<double>(row) + with.offset;
  const SineCosine angle = sine_cosine(position / angle_divisor(pair, turned, with.base));
  const double sine = with.factor * angle.sine;
  const std::size_t other = interleaved ? col ^ 1 : (col + pairs) % turned;
  return {angle.cosine, first ? -sine : sine, other};
}

}  // namespace

template <class Real>
Operation<Real> rotate_operation() {
  return {
      .name = "rotate",
      .inputs = 1,
      .takes_mask = false,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            const Attributes& with = *arguments.attributes;
            require(with.columns % 2 == 0 && with.columns <= x.shape(1), "columns are turned in pairs");
            return cell_by_cell<Real>(arguments, 0, [&](std::size_t row, std::size_t col) {
              const Turn turn = turn_of(with, row, col);
              if (turn.partner == col) return x(row, col);
              return x(row, col) * static_cast<Real>(turn.own) + x(row, turn.partner) * static_cast<Real>(turn.across);
            });
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            const Turn turn = turn_of(step.attributes, row, col);
            std::vector<Term<Real>> terms{same_cell(tape, step, row, col)};
            if (turn.partner == col) return terms;
            terms.push_back(same_cell(tape, step, row, turn.partner));
            terms[0].factor = turn.own;
            terms[1].factor = turn.across;
            for (Term<Real>& term : terms) term.value *= static_cast<Real>(term.factor);
            return terms;
          },
      // A gradient turns back.
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId step, StepId gradient, std::size_t) {
            Attributes back = recorder.tape().step(step).attributes;
            back.factor = -back.factor;
            return recorder.record(OperationName::rotate, {gradient}, back);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const StepId x = tape.step(id).inputs[0];
            return cell_tex(tape, id) + " = " + cell_tex(tape, x) + "\\cos\\theta_{ij} \\mp " +
                   cell_tex(tape, x, "i", "j'") + "\\sin\\theta_{ij}";
          },
  };
}

template Operation<float> rotate_operation();
template Operation<double> rotate_operation();

}  // namespace attention
