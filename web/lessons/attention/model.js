// What the lesson asks the core, from its state.

const CAUSAL = /** @type {Record<string, 'top-left' | 'bottom-right'>} */ ({ causal: 'top-left', 'causal-end': 'bottom-right' });

/** Where a cell may be seen as drawn: `allow` where it reaches, everything beyond. @param {any} state */
export function drawnMask({ Q, K, allow }) {
  return Q.map((/** @type {unknown} */ _, /** @type {number} */ i) => K.map((/** @type {unknown} */ __, /** @type {number} */ j) => allow?.[i]?.[j] ?? 1));
}

/** The call that describes a state to the core. @param {any} state */
export function request(state) {
  return {
    recipe: /** @type {const} */ ('attention'),
    inputs: { Q: state.Q, K: state.K, V: state.V, ...(state.mask === 'drawn' && { mask: drawnMask(state) }) },
    options: {
      ...(state.scale === 'off' && { scale: 1 }),
      temperature: state.T,
      causal: CAUSAL[state.mask] ?? false,
      softmax: state.softmax,
      compareSoftmax: true,
    },
  };
}
