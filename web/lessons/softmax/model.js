// What the lesson asks the core, from its state.

/** The call that describes a state to the core. @param {any} state */
export function request({ x, factor, shift, T, softmax, precision }) {
  return {
    recipe: /** @type {const} */ ('softmax'),
    precision,
    inputs: { x },
    options: { factor, shift, temperature: T, softmax, compareSoftmax: true },
  };
}

/** Whether a number on the way was too large, so that what came out are no shares. @param {ArrayLike<number>} shares */
export const isBroken = (shares) => !(Math.abs(Array.from(shares).reduce((sum, share) => sum + share, 0) - 1) < 0.001);

/** Entropy in bits: −Σ p·log₂ p, where 0·log₂ 0 counts as 0 (Shannon 1948). @param {ArrayLike<number>} shares */
export const entropy = (shares) => Array.from(shares).reduce((sum, p) => (p === 0 ? sum : sum - p * Math.log2(p)), 0);
