// The page put together from its views. It reads the app and calls its actions; it changes nothing itself.
import { html, nothing } from 'lit-html';
import { LESSONS } from './lessons/index.js';
import { predictedAt } from './predictions.js';
import { PROPERTIES } from './properties.js';
import { asText, computedSteps, currentKey, exists, forbiddenIn, isGradient, isLarge, placeIn, samePlace, stepKeys, stepOf } from './trace.js';
import { formulaView } from './views/formula.js';
import { gradientBanner } from './views/gradient.js';
import { headerView } from './views/header.js';
import { inputsView } from './views/inputs.js';
import { messageView, problemText } from './views/message.js';
import { placeName, stepLabel, stepName } from './views/names.js';
import { overviewView } from './views/overview.js';
import { assignmentView } from './views/assignment.js';
import { explanationView, stageView } from './views/stage.js';
import { stepperView } from './views/stepper.js';
import { predictView, whyView } from './views/why.js';

/**
 * @typedef {import('./main.js').App} App
 * @typedef {import('./trace.js').Step} Step
 * @typedef {import('./views/message.js').Problem} Problem
 */

/** Cells of one input beyond which a window is shown whatever became of it. */
const LARGE_INPUT = 600;

/** Parts of the page that a link can leave out. */
const HIDEABLE = PROPERTIES.find(({ name }) => name === 'hide')?.choices ?? [];

/** @param {App} app */
export function pageView(app) {
  const { state, lesson, prose, result, ui, t, actions } = app;
  const { trace } = result;
  const key = currentKey(trace, state.step, lesson.firstStep);
  const step = stepOf(trace, key);
  const isExplained = shows(state, 'why') && !state.embed;
  const predict = step ? prediction(app, step) : null;
  return html`
    ${headerView({ lesson: state.lesson, wanted: app.wanted, lessons: Object.keys(LESSONS), open: actions.openLesson, language: app.language, embedded: Boolean(state.embed), locked: state.lock === 1, fullLink: state.embed ? app.linkOf({ embed: 0 }) : '', t,
      speak: actions.speak, theme: actions.theme, share: actions.share })}
    ${formulaView({ parts: lesson.formula(state, (/** @type {string} */ each) => Boolean(stepOf(trace, each))), current: key, what: step ? whatOf(app, step) : t('formula.hint'), t, name: (each) => stepName(each, t), go: actions.go })}
    ${assignmentView(state.question, state.note, t)}
    ${notices(app)}
    <main><div class="bench ${result.stale ? 'stale' : ''} ${shows(state, 'inputs') ? '' : 'without-inputs'} ${isExplained ? '' : 'without-why'}">
      ${shows(state, 'inputs') ? inputs(app) : nothing}
      <section id="stage" class="stage" tabindex="-1" aria-label=${t('stage.label')}>
        ${!isExplained && predict?.isFirst ? predictView(prose, predict, t) : nothing}
        ${stageOrStatus(app, step)}
      </section>
      ${!isExplained ? nothing : step
        ? whyView({ prose, step, intro: state.step === null, shownAs: lesson.shownAs(state, step.key, trace), extra: lesson.extraProse(state, trace, app.example, step.key), predict, t })
        : html`<aside class="why" aria-label=${t('why.label')}></aside>`}
    </div>
    <div id="below"></div>
    </main>
    ${trace
      ? stepperView({ listed: shows(state, 'steps'), keys: stepKeys(trace), current: key, playing: Boolean(ui.playing), t, name: (each) => stepLabel(each, t), go: actions.go,
        move: actions.move, play: actions.play, close: trace.gradient ? actions.closeGradient : undefined })
      : nothing}
    ${ui.share ? ui.share.view({ title: app.title, t, predicts: lesson.predicts, parts: HIDEABLE }) : nothing}
    <p class="visually-hidden" role="status" aria-live="polite" id="spoken">${ui.spoken ?? ''}</p>`;
}

/** What a lesson has below its steps, which is painted into a place of its own. @param {App} app */
export function sectionsView(app) {
  const { state, further, closed, result } = app;
  return result.trace && further && !state.embed && shows(state, 'further') && closed.length === 0 ? further.sections(viewOf(app)) : nothing;
}

/** Whether a part of the page was left in by whoever made the link. @param {any} state @param {string} part */
const shows = ({ hide }, part) => !hide?.includes(part);

/** What a lesson's own views are given. @param {App} app */
function viewOf(app) {
  const { trace, derived } = app.result;
  return { ...app, trace, derived, isWindowed: isWindowed(app) };
}

/** Whether tables show a part of their matrix. @param {App} app */
const isWindowed = ({ state, lesson, result }) =>
  isLarge(result.trace) || lesson.matrices.some((/** @type {any} */ { name }) => state[name].length * state[name][0].length > LARGE_INPUT);

/** @param {App} app @param {Step} step */
function whatOf({ state, lesson, result, t }, { key }) {
  return isGradient(key)
    ? t('gradient.what', { name: stepName(/** @type {any} */ (result.trace?.gradient).key, t) })
    : t(`step.${lesson.shownAs(state, key, result.trace)}.what`);
}

/** What belongs to no single field: what became of a link, and problems of the whole. @param {App} app */
function notices({ state, lesson, ui, result, status, t, actions }) {
  const isMatrix = (/** @type {string} */ field) => lesson.matrices.some((/** @type {any} */ { name }) => name === field);
  const fields = [
    ...lesson.fields.filter((/** @type {string} */ field) => shows(state, 'inputs') && (isMatrix(field) || shows(state, 'settings'))),
    ...(state.embed || !shows(state, 'further') ? [] : lesson.furtherFields),
  ];
  const { link } = ui;
  /** @type {unknown[]} */
  const list = [];
  const cut = link?.problems.find((/** @type {Problem} */ { code }) => code === 'cut');
  if (link?.status === 'damaged')
    list.push(messageView({ text: t(cut ? 'problem.cut' : 'problem.damaged'), actions: [
      { label: t('link.open-anyway'), run: actions.openDamaged }, { label: t('link.dismiss'), run: actions.dismissLink }] }));
  for (const problem of link?.problems ?? [])
    if (!fields.includes(problem.field) && problem !== cut)
      list.push(messageView({ text: problemText(problem, t), actions: [{ label: t('link.dismiss'), run: () => actions.dismissProblem(problem) }] }));
  for (const problem of result.problems)
    if (!fields.includes(problem.field)) list.push(messageView({ text: problemText(problem, t) }));
  const missing = new Set(Object.values(ui.missing).map(({ what }) => t(what)));
  if (missing.size > 0)
    list.push(messageView({ text: t('problem.not-loaded', { what: [...missing].join(', ') }), actions: [{ label: t('action.retry'), run: actions.retry }] }));
  if (ui.restarted && status === 'ready' && !result.problems.some(({ code }) => code === 'engine-failed'))
    list.push(messageView({ text: t('problem.engine-failed'), actions: [{ label: t('action.close'), run: actions.dismissRestart }] }));
  return list.length > 0 ? html`<div class="notices">${list}</div>` : nothing;
}

/** @param {App} app */
function inputs(app) {
  const { state, lesson, editor, example, history, problemsOf, t, actions } = app;
  return inputsView({
    t, example, history, actions,
    examples: lesson.examples,
    matrices: lesson.matrices.map((/** @type {any} */ matrix) => editor.input(matrix, isWindowed(app), problemsOf(matrix.name))),
    columns: state.convention === 'columns',
    settings: shows(state, 'settings') ? lesson.settings(viewOf(app)) : nothing,
  });
}

/** @param {App} app @param {Step | undefined} step */
function stageOrStatus(app, step) {
  const { state, lesson, result, ui, t, model, actions } = app;
  const { trace } = result;
  if (app.status === 'missing' || app.status === 'stopped')
    return messageView({ text: t(app.status === 'missing' ? 'problem.engine-missing' : 'problem.engine-stopped'), actions: [{ label: t('action.retry'), run: actions.reload }] });
  const place = step && placeIn(step, ui.hover?.key === step.key ? ui.hover : state.cell);
  const explanation = trace && place && model.explain(trace, place);
  if (!trace || !step || !place || !explanation)
    return html`<p class="loading" role="status">${t(result.stale ? 'stage.waiting' : 'stage.loading')}</p>`;

  const windowed = isLarge(trace);
  const columns = state.convention === 'columns';
  const props = {
    trace, step, place, explanation, columns, windowed, t,
    digits: state.digits,
    expanded: Boolean(ui.expanded),
    pinned: samePlace(state.pin, place),
    text: () => asText(step),
    look: actions.look,
    leave: actions.leave,
    open: actions.open,
    expand: actions.expand,
    pin: actions.pin,
    openGradient: actions.openGradient,
    toggleMask: result.stale ? undefined : actions.drawMask,
    maskFocus: ui.inputFocus.mask ?? null,
    lookAtMask: actions.lookAtMask,
    textOpen: Boolean(ui.asText),
    toggleText: actions.toggleText,
  };
  return html`
    ${result.stale ? html`<p class="stale-note" role="status">${t('stage.stale')}</p>` : nothing}
    ${trace.gradient
      ? gradientBanner({ gradient: trace.gradient, place: placeName(/** @type {Step} */ (stepOf(trace, trace.gradient.key)), trace.gradient.row, trace.gradient.col), inputs: lesson.matrices.map((/** @type {any} */ { name }) => name), t, choose: actions.chooseWrt, close: actions.closeGradient })
      : nothing}
    ${lesson.figure ? lesson.figure(viewOf(app)) : nothing}
    ${stageView(props)}
    ${pinned(app, props)}
    ${windowed
      ? nothing
      : overviewView({ steps: computedSteps(trace).filter(({ key }) => !app.closed.includes(key)), current: step.key, digits: state.digits, columns, t, forbidden: (each) => forbiddenIn(trace, each),
        open: Boolean(ui.overview), toggle: actions.toggleOverview, go: actions.go })}
    <p class="digits-note">${t('stage.digits', { count: state.digits })}</p>`;
}

/** A pinned cell keeps its explanation while the numbers change. @param {App} app @param {any} props */
function pinned({ state: { pin }, model, t, closed }, props) {
  const step = pin && !closed.includes(pin.key) && stepOf(props.trace, pin.key);
  if (!step || samePlace(pin, props.place) || !exists(step, pin)) return nothing;
  const explanation = model.explain(props.trace, pin);
  return explanation
    ? html`<div class="pinned"><h2>${t('stage.pinned')}</h2>${explanationView({ ...props, place: { ...pin }, step, explanation, pinned: true })}</div>`
    : nothing;
}

/** The number to predict: the same cell, one step on. @param {App} app @param {Step} step */
function prediction({ state, lesson, result, ui, actions, closed }, step) {
  if (!lesson.predicts) return null;
  const next = predictedAt(result.trace, step.key);
  if (!next || result.stale) return null;
  const place = placeIn(next, state.cell);
  return {
    next: next.key, place: placeName(next, place.row, place.col), text: ui.predictText ?? '',
    verdict: ui.checked?.trace === result.trace && samePlace(ui.checked.place, place) ? ui.checked.verdict : null,
    type: actions.typePrediction, check: () => actions.checkPrediction(place), skip: closed.includes(next.key) ? actions.skipPrediction : null, isFirst: state.predict === 1,
  };
}
