// The lessons there are, in order. Code and prose of a lesson are loaded when it is opened.

/** @type {Record<string, { load: () => Promise<any>, prose: Record<string, () => Promise<any>> }>} */
export const LESSONS = {
  attention: {
    load: () => import('./attention/lesson.js'),
    prose: { ko: () => import('./attention/ko.md'), en: () => import('./attention/en.md') },
  },
};

export const FIRST_LESSON = 'attention';
