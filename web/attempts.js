// What did not load is told in one place, and asked for again from there.

/**
 * @typedef {{ what: string, again: () => Promise<void> }} Missing   what: the key of its name
 * @param {{ getUi: () => any, setUi: (patch: any) => void }} parts
 */
export function createAttempts({ getUi, setUi }) {
  /** The last attempt of each kind: what became of those before it interests nobody. @type {Record<string, object>} */
  const last = {};

  /** @param {string} kind @param {Missing} [problem] */
  function tell(kind, problem) {
    const { [kind]: before, ...missing } = getUi().missing;
    if (problem || before) setUi({ missing: problem ? { ...missing, [kind]: problem } : missing });
  }

  /** Does what has to load something first. @param {string} kind @param {string} what the key of its name @param {() => Promise<unknown>} run */
  async function attempt(kind, what, run) {
    const mine = last[kind] = {};
    tell(kind);
    try {
      await run();
    } catch (error) {
      console.error(error);
      if (last[kind] === mine) tell(kind, { what, again: () => attempt(kind, what, run) });
    }
  }

  return {
    attempt,
    retry() { for (const { again } of Object.values(getUi().missing)) again(); },
  };
}
