// Rotary position embedding.
import { AttentionError } from './error.js';
import { checkedPrecision, finiteNumber, oneOf, plainObject, refuseUnknown, toTensor, wholeNumber } from './tensor.js';

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'rotary'>} */
export const rotaryCalls = (ask) => ({
  rotary(call) {
    refuseUnknown(plainObject(call, 'call'), ['x', 'cos', 'sin', 'positions', 'base', 'interleaved', 'rotaryDim', 'heads', 'precision']);
    const { base = 10000, interleaved = false, rotaryDim, heads } = call;
    if (call.base !== undefined && call.cos !== undefined)
      throw new AttentionError('given-twice', 'base', 'cos and sin say by themselves how far to turn: give them or base');
    /** @type {Record<string, import('./tensor.js').Plain>} */
    const tensors = { x: toTensor(call.x, 'x') };
    for (const name of /** @type {const} */ (['cos', 'sin', 'positions']))
      if (call[name] !== undefined) tensors[name] = toTensor(call[name], name);
    const options = {
      base: finiteNumber(base, 'base'),
      interleaved: oneOf(interleaved, 'interleaved', [true, false]),
      rotaryDim: rotaryDim === undefined ? undefined : wholeNumber(rotaryDim, 'rotaryDim', 2),
      heads: heads === undefined ? undefined : wholeNumber(heads, 'heads', 1),
    };
    const precision = checkedPrecision(call.precision);
    return ask('rotary', tensors, { precision, options }).output;
  },
});
