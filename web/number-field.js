// A number property with a slider and a field: what is typed stays until it is a number that is allowed.
import { parseValue } from './share/values.js';

/** @typedef {import('./views/message.js').Problem} Problem */

/**
 * @param {{ get: () => any, set: (patch: any, change?: any) => void, settle: () => void, editor: any, getUi: () => any,
 *   problemsOf: (field: string) => Problem[], propertyOf: (name: string) => import('./properties.js').Property }} parts
 */
export function createNumberEditor({ get, set, settle, editor, getUi, problemsOf, propertyOf }) {
  return (/** @type {string} */ name) => {
    const property = propertyOf(name);
    const draft = getUi().drafts[name];
    return {
      id: name,
      value: get()[name],
      draft: draft?.text,
      problems: [...(draft?.problem ? [draft.problem] : []), ...problemsOf(name)],
      slide(/** @type {number} */ value) {
        editor.forget(name);
        set({ [name]: value }, { merge: name });
      },
      type(/** @type {string} */ text) {
        const outcome = parseValue(text, property);
        if ('problem' in outcome) editor.remember(name, text, { ...outcome.problem, field: name });
        else {
          editor.remember(name, text, null);
          editor.whileTyping(name, () => set({ [name]: outcome.value }, { merge: name }));
        }
      },
      finish() {
        settle();
        if (!getUi().drafts[name]?.problem) editor.forget(name);
      },
    };
  };
}
