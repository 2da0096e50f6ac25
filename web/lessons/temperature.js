// Temperatures that scores cannot be divided by.

/** Below these 1/T may be infinite. */
const LEAST = { float64: 1e-308, float32: 1e-38 };

/** @param {number} T above 0 @param {'float64' | 'float32'} precision @returns {import('../engine.js').Problem[]} */
export const checkTemperature = (T, precision) =>
  (T < LEAST[precision] ? [{ code: 'temperature-too-small', field: 'T', detail: { precision, min: String(LEAST[precision]) } }] : []);
