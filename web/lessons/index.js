// The lessons there are, in order. Code and prose of a lesson are loaded when it is opened.

/** @type {Record<string, { load: () => Promise<any>, prose: Record<string, () => Promise<any>> }>} */
export const LESSONS = {
  attention: {
    load: () => import('./attention/lesson.js'),
    prose: { ko: () => import('./attention/ko.md'), en: () => import('./attention/en.md') },
  },
  softmax: {
    load: () => import('./softmax/lesson.js'),
    prose: { ko: () => import('./softmax/ko.md'), en: () => import('./softmax/en.md') },
  },
};

export const FIRST_LESSON = 'attention';
