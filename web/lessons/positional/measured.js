// What takes long is measured when nothing moves any more, a piece at a time; until then the last measured stays in sight.

/** How long a slider has to rest, in ms. */
const REST = 150;

/** @typedef {import('./scenes.js').Measured} Measured @typedef {ReturnType<typeof import('./scenes.js').encoding>} Encoding */

/** @type {{ of: Encoding | null, measured: Measured | null, isOld: boolean }} */
let job = { of: null, measured: null, isOld: true };

/** @param {Encoding} encoding @param {() => void} done */
function run(encoding, done) {
  const work = encoding.measure();
  const go = () => {
    if (job.of !== encoding) return;
    try {
      const step = work.next();
      if (!step.done) return void setTimeout(go);
      job = { of: encoding, measured: step.value, isOld: false };
      done();
    } catch (error) {
      console.error(error);
    }
  };
  setTimeout(go, REST);
}

/** @param {Encoding} encoding @param {() => void} done called when there is more to see @returns {{ measured: Measured | null, isOld: boolean }} */
export function measuredOf(encoding, done) {
  if (job.of === encoding) return job;
  job = { of: encoding, measured: job.measured, isOld: true };
  if (!encoding.isQuick) run(encoding, done);
  else {
    const work = encoding.measure();
    let step = work.next();
    while (!step.done) step = work.next();
    job = { of: encoding, measured: step.value, isOld: false };
  }
  return job;
}
