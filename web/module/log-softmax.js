// The logarithm of softmax along any axis.
import { axisBack, axisLast } from './softmax.js';
import { axisOf, checkedPrecision, plainObject, refuseUnknown, toTensor } from './tensor.js';

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'logSoftmax'>} */
export const logSoftmaxCalls = (ask) => ({
  logSoftmax(call) {
    refuseUnknown(plainObject(call, 'call'), ['x', 'axis', 'precision']);
    const { axis = -1 } = call;
    const x = toTensor(call.x, 'x');
    const along = axisOf(axis, x.shape);
    const precision = checkedPrecision(call.precision);
    const { output } = ask('logSoftmax', { x: axisLast(x, along) }, { precision });
    return { shape: x.shape, data: axisBack(output.data, x.shape, along) };
  },
});
