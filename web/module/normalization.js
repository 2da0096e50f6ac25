// Layer and root-mean-square normalisation.
import { axisOf, finiteNumber, inPrecision, plainObject, refuseUnknown, toTensor } from './tensor.js';

/** What both take, checked. @param {any} call @param {string[]} factors names of the tensors beside x */
function checkedCall(call, factors) {
  refuseUnknown(plainObject(call, 'call'), ['x', 'axis', 'epsilon', ...factors, 'precision']);
  const { axis = -1, epsilon = 1e-5 } = call;
  const x = toTensor(call.x, 'x');
  const given = factors.filter((name) => call[name] !== undefined).map((name) => [name, toTensor(call[name], name)]);
  const options = { axis: axisOf(axis, x.shape), epsilon: finiteNumber(epsilon, 'epsilon') };
  return { tensors: { x, ...Object.fromEntries(given) }, request: { ...inPrecision(call.precision), options } };
}

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'layerNorm' | 'rmsNorm'>} */
export const normalizationCalls = (ask) => ({
  layerNorm(call) {
    const { tensors, request } = checkedCall(call, ['scale', 'bias']);
    const { output, mean, invStdDev } = ask('layerNorm', tensors, request);
    const { precision } = request;
    return { output, mean, invStdDev };
  },

  rmsNorm(call) {
    const { tensors, request } = checkedCall(call, ['scale']);
    return ask('rmsNorm', tensors, request).output;
  },
});
