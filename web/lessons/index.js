// The lessons there are, in order. What the first look at a lesson needs is loaded when it is opened; what stands further
// down, the texts of gradients, and whatever is asked for by a click come after it.

/**
 * @typedef {Record<string, () => Promise<{ default: import('../views/prose.js').Prose }>>} Texts   by language
 * @typedef {Record<string, () => Promise<{ prose: import('../views/prose.js').Prose, strings: Record<string, string> }>>} Words
 * @type {Record<string, { load: () => Promise<any>, words: Words, further: () => Promise<any>, furtherProse: Texts, beginsFurther?: (values: any) => boolean }>}
 *   beginsFurther: whether these values show texts of steps that come after the first look otherwise
 */
export const LESSONS = {
  attention: {
    load: () => import('./attention/lesson.js'),
    words: { ko: () => import('./attention/ko.js'), en: () => import('./attention/en.js') },
    further: () => import('./attention/further.js'),
    furtherProse: { ko: () => import('./attention/ko.further.md'), en: () => import('./attention/en.further.md') },
  },
  softmax: {
    load: () => import('./softmax/lesson.js'),
    words: { ko: () => import('./softmax/ko.js'), en: () => import('./softmax/en.js') },
    further: () => import('./softmax/further.js'),
    furtherProse: { ko: () => import('./softmax/ko.further.md'), en: () => import('./softmax/en.further.md') },
  },
  mask: {
    load: () => import('./mask/lesson.js'),
    words: { ko: () => import('./mask/ko.js'), en: () => import('./mask/en.js') },
    further: () => import('./mask/further.js'),
    furtherProse: { ko: () => import('./mask/ko.further.md'), en: () => import('./mask/en.further.md') },
    beginsFurther: ({ mask = 'causal', padding = 0, Q, K }) => mask !== 'causal' || padding > 0 || Q?.length !== K?.length,
  },
  positional: {
    load: () => import('./positional/lesson.js'),
    words: { ko: () => import('./positional/ko.js'), en: () => import('./positional/en.js') },
    further: () => import('./positional/further.js'),
    furtherProse: { ko: () => import('./positional/ko.further.md'), en: () => import('./positional/en.further.md') },
    beginsFurther: ({ encoding = 'sinusoidal', combine }) => encoding !== 'sinusoidal' || combine === 'concatenate',
  },
};

export const FIRST_LESSON = 'attention';
