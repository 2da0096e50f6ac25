// The lessons there are, in order. What the first look at a lesson needs is loaded when it is opened; what stands further
// down, the texts of gradients, and whatever is asked for by a click come after it.

/**
 * @typedef {Record<string, () => Promise<{ default: import('../views/prose.js').Prose }>>} Texts   by language
 * @type {Record<string, { load: () => Promise<any>, prose: Texts, further: () => Promise<any>, furtherProse: Texts }>}
 */
export const LESSONS = {
  attention: {
    load: () => import('./attention/lesson.js'),
    prose: { ko: () => import('./attention/ko.md'), en: () => import('./attention/en.md') },
    further: () => import('./attention/further.js'),
    furtherProse: { ko: () => import('./attention/ko.further.md'), en: () => import('./attention/en.further.md') },
  },
  softmax: {
    load: () => import('./softmax/lesson.js'),
    prose: { ko: () => import('./softmax/ko.md'), en: () => import('./softmax/en.md') },
    further: () => import('./softmax/further.js'),
    furtherProse: { ko: () => import('./softmax/ko.further.md'), en: () => import('./softmax/en.further.md') },
  },
  mask: {
    load: () => import('./mask/lesson.js'),
    prose: { ko: () => import('./mask/ko.md'), en: () => import('./mask/en.md') },
    further: () => import('./mask/further.js'),
    furtherProse: { ko: () => import('./mask/ko.further.md'), en: () => import('./mask/en.further.md') },
  },
  positional: {
    load: () => import('./positional/lesson.js'),
    prose: { ko: () => import('./positional/ko.md'), en: () => import('./positional/en.md') },
    further: () => import('./positional/further.js'),
    furtherProse: { ko: () => import('./positional/ko.further.md'), en: () => import('./positional/en.further.md') },
  },
};

export const FIRST_LESSON = 'attention';
