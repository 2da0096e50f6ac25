/**
 * The one table of what a visitor can set. It drives the state, the links (in this order), validation, the controls and
 * docs/links.md. The names and defaults here are part of every link ever shared: a link leaves out what equals its default,
 * so changing a default changes what old links mean, and needs a new version of links.
 */

/**
 * @typedef {'matrix' | 'bits' | 'number' | 'integer' | 'choice' | 'choices' | 'key' | 'text' | 'cell' | 'pin' | 'gradient'} PropertyType
 * @typedef {{ row: number, col: number }} Cell
 * @typedef {{ key: string, row: number, col: number }} Pin            a cell of the step `key`
 * @typedef {{ key: string, row: number, col: number, wrt: string }} Gradient   of that cell, with respect to the step `wrt`
 * @typedef {number | string | string[] | number[][] | Cell | Pin | Gradient} Value
 *
 * @typedef {object} Property
 * @property {string} name
 * @property {PropertyType} type
 * @property {Value | null} default      null: absent, the page decides
 * @property {'model' | 'view'} scope    model: a change recomputes; view: it only redraws
 * @property {'*' | string[]} lessons    where it exists
 * @property {number} [min]              of a number; smallest allowed
 * @property {number} [max]              of a number, or of the row and col of a cell; largest allowed
 * @property {boolean} [minExclusive]    `min` itself is not allowed
 * @property {string[]} [choices]
 * @property {number} [maxRows]
 * @property {number} [maxCols]
 * @property {number} [maxLength]        of a key or text, in characters
 * @property {{ [lesson: string]: Partial<Property> }} [in]   what is different in a lesson; never the default
 * @property {false} [link]              false: never in links
 * @property {{ en: string, ko: string }} doc
 */

const MATRIX = { type: /** @type {const} */ ('matrix'), maxRows: 64, maxCols: 64 };
const PLACE = { default: null, max: 63, maxLength: 64 };

/** @type {Property[]} */
const table = [
  {
    name: 'Q', ...MATRIX, default: [[1, 1]], scope: 'model', lessons: ['attention'],
    doc: { en: 'Queries, one row per token.', ko: '쿼리. 한 행이 한 토큰입니다.' },
  },
  {
    name: 'K', ...MATRIX, default: [[1, 0], [0, 2]], scope: 'model', lessons: ['attention'],
    doc: { en: 'Keys, one row per token; as many columns as Q.', ko: '키. 한 행이 한 토큰이고, 열의 수는 Q와 같습니다.' },
  },
  {
    name: 'V', ...MATRIX, default: [[1, 0], [0, 1]], scope: 'model', lessons: ['attention'],
    doc: { en: 'Values, one row per token; as many rows as K.', ko: '밸류. 한 행이 한 토큰이고, 행의 수는 K와 같습니다.' },
  },
  {
    name: 'T', type: 'number', default: 1, min: 0, minExclusive: true, max: 1000, scope: 'model', lessons: ['attention', 'softmax'],
    in: { softmax: { minExclusive: false, max: 1e6 } }, // 0 is the limit there
    doc: { en: 'Temperature: divides the scores before softmax.', ko: '온도. 소프트맥스 앞에서 점수를 나눕니다.' },
  },
  {
    name: 'scale', type: 'choice', choices: ['on', 'off'], default: 'on', scope: 'model', lessons: ['attention'],
    doc: { en: 'Whether the scores are divided by √d_k.', ko: '점수를 √d_k로 나눌지 정합니다.' },
  },
  {
    name: 'mask', type: 'choice', choices: ['none', 'causal', 'causal-end', 'drawn'], default: 'none', scope: 'model', lessons: ['attention'],
    doc: {
      en: 'Which keys a query may see: all; up to its own position, counted from the top left or (causal-end) from the bottom right; or those that `allow` marks.',
      ko: '쿼리가 볼 수 있는 키. 전부, 자기 위치까지(왼쪽 위 기준, causal-end는 오른쪽 아래 기준), 또는 `allow`가 표시한 것.',
    },
  },
  {
    name: 'allow', type: 'bits', maxRows: 64, maxCols: 64, default: null, scope: 'model', lessons: ['attention'],
    doc: {
      en: 'The drawn mask, a row per query and a column per key: 1 may be seen, 0 may not. Used when mask=drawn.',
      ko: '그린 마스크. 행은 쿼리, 열은 키이며 1은 볼 수 있음, 0은 볼 수 없음입니다. mask=drawn일 때 쓰입니다.',
    },
  },
  {
    name: 'softmax', type: 'choice', choices: ['stable', 'plain'], default: 'stable', scope: 'model', lessons: ['attention', 'softmax'],
    doc: {
      en: 'Softmax with the row maximum subtracted first (stable), or as it is done by hand (plain).',
      ko: '행의 최댓값을 먼저 빼는 소프트맥스(stable)와 손으로 계산하는 그대로의 소프트맥스(plain).',
    },
  },
  {
    name: 'convention', type: 'choice', choices: ['rows', 'columns'], default: 'rows', scope: 'view', lessons: ['attention'],
    doc: {
      en: 'Whether tokens are shown as rows or as columns. Links always hold tokens as rows.',
      ko: '토큰을 행으로 보일지 열로 보일지 정합니다. 링크에는 언제나 행으로 적습니다.',
    },
  },
  {
    name: 'gradient', type: 'gradient', ...PLACE, scope: 'model', lessons: '*',
    doc: {
      en: 'The cell whose gradient is opened, and the step or input that it is taken with respect to.',
      ko: '기울기를 펼칠 셀과, 무엇에 대한 기울기인지를 정합니다.',
    },
  },
  {
    name: 'step', type: 'key', default: null, maxLength: 64, scope: 'view', lessons: '*',
    doc: { en: 'The step that is shown.', ko: '보고 있는 단계.' },
  },
  {
    name: 'cell', type: 'cell', ...PLACE, scope: 'view', lessons: '*',
    doc: { en: 'The cell of that step that is explained.', ko: '그 단계에서 설명하는 셀.' },
  },
  {
    name: 'pin', type: 'pin', ...PLACE, scope: 'view', lessons: '*',
    doc: { en: 'A cell whose explanation stays open.', ko: '설명을 계속 펼쳐 두는 셀.' },
  },
  {
    name: 'digits', type: 'integer', default: 3, min: 0, max: 12, scope: 'view', lessons: '*',
    doc: { en: 'Decimals shown; the numbers themselves keep full precision.', ko: '보여 주는 소수 자릿수. 수 자체는 그대로 유지됩니다.' },
  },
  {
    name: 'w', type: 'number', default: 0.9, min: 0, max: 1.2, scope: 'model', lessons: ['attention'],
    doc: { en: 'Weight of the small recurrent cell that attention is compared with.', ko: '어텐션과 견주는 작은 순환 셀의 가중치.' },
  },
  {
    name: 'match', type: 'number', default: 1, min: 0, max: 4, scope: 'model', lessons: ['attention'],
    doc: {
      en: 'In the same comparison, how well the last query matches the first key.',
      ko: '같은 비교에서 마지막 쿼리가 첫 번째 키와 맞는 정도.',
    },
  },
  {
    name: 'E', type: 'matrix', maxRows: 4, maxCols: 8, default: [[6, 1, 0], [0, 7, 2], [1, 1, 5], [3, 0, 4]], scope: 'view', lessons: ['attention'],
    doc: { en: 'The small embedding table: one row per token of its vocabulary.', ko: '작은 임베딩 표. 한 행이 어휘의 한 토큰입니다.' },
  },
  {
    name: 'x', type: 'matrix', maxRows: 1, maxCols: 64, default: [[2, 1, 0]], scope: 'model', lessons: ['softmax'],
    doc: { en: 'The list of scores, in one row.', ko: '점수 목록. 한 행에 적습니다.' },
  },
  {
    name: 'factor', type: 'number', default: 1, min: -1000, max: 1000, scope: 'model', lessons: ['softmax'],
    doc: { en: 'The scores are multiplied by it first (a).', ko: '먼저 점수에 곱하는 수(a).' },
  },
  {
    name: 'shift', type: 'number', default: 0, min: -1e6, max: 1e6, scope: 'model', lessons: ['softmax'],
    doc: { en: 'Then it is added to every score (c).', ko: '그다음 모든 점수에 더하는 수(c).' },
  },
  {
    name: 'precision', type: 'choice', choices: ['float64', 'float32'], default: 'float64', scope: 'model', lessons: ['softmax'],
    doc: { en: 'The numbers that are computed with: of 64 or 32 bits.', ko: '계산에 쓰는 수. 64비트 또는 32비트.' },
  },
  {
    name: 'X', ...MATRIX, default: [[2, 0, 1, 0], [0, 0, 1, 1], [1, 2, 0, 0], [0, 1, 0, 2], [0, 1, 2, 1]], scope: 'model', lessons: ['positional'],
    doc: { en: 'Embeddings, one row per token, in the order of the sentence.', ko: '임베딩. 한 행이 한 토큰이고, 문장의 순서대로입니다.' },
  },
  {
    name: 'tokens', type: 'matrix', maxRows: 1, maxCols: 64, default: [[0, 1, 2, 3, 4]], scope: 'view', lessons: ['positional'],
    doc: {
      en: 'What the tokens are called, by number in the small vocabulary of the lesson: 0 to 4 in the Korean example, 5 to 7 in the English one.',
      ko: '토큰의 이름. 이 단원의 작은 어휘에서 몇 번째인지 적습니다. 0~4는 한국어 예제, 5~7은 영어 예제입니다.',
    },
  },
  {
    name: 'order', type: 'matrix', maxRows: 1, maxCols: 64, default: null, scope: 'model', lessons: ['positional'],
    doc: {
      en: 'The other order that the tokens are compared in: their rows in X, counted from 0. Without it the first and the third change places.',
      ko: '견주어 볼 다른 순서. X의 행을 0부터 세어 적습니다. 없으면 첫째와 셋째를 맞바꿉니다.',
    },
  },
  {
    name: 'encoding', type: 'choice', choices: ['sinusoidal', 'none'], default: 'sinusoidal', scope: 'model', lessons: ['positional'],
    doc: { en: 'The encoding of the positions.', ko: '위치 인코딩의 종류.' },
  },
  {
    name: 'combine', type: 'choice', choices: ['add', 'concatenate'], default: 'add', scope: 'model', lessons: ['positional'],
    doc: { en: 'Whether the encoding is added to the embeddings or put beside them.', ko: '위치 인코딩을 임베딩에 더할지, 옆에 이어 붙일지 정합니다.' },
  },
  {
    name: 'causal', type: 'choice', choices: ['off', 'on'], default: 'off', scope: 'model', lessons: ['positional'],
    doc: { en: 'Whether a token sees only itself and those before it.', ko: '토큰이 자신과 그 앞만 볼지 정합니다.' },
  },
  {
    name: 'base', type: 'number', default: 10000, min: 1, max: 1e6, scope: 'model', lessons: ['positional'],
    doc: { en: 'Base of the frequencies: pair r turns by base^(−2r/d) for each position.', ko: '진동수의 밑. r번째 쌍은 위치마다 base^(−2r/d)만큼 돕니다.' },
  },
  {
    name: 'layout', type: 'choice', choices: ['interleaved', 'halves'], default: 'interleaved', scope: 'model', lessons: ['positional'],
    doc: { en: 'Sines and cosines in turns, or all sines first.', ko: '사인과 코사인을 번갈아 놓을지, 사인을 모두 먼저 놓을지 정합니다.' },
  },
  {
    name: 'offset', type: 'number', default: 0, min: -100000, max: 100000, scope: 'model', lessons: ['positional'],
    doc: { en: 'Number of the first position.', ko: '첫 위치의 번호.' },
  },
  {
    name: 'positions', type: 'integer', default: 32, min: 2, max: 1024, scope: 'model', lessons: ['positional'],
    doc: { en: 'How many positions the pictures of the encoding have.', ko: '인코딩 그림에 넣을 위치의 수.' },
  },
  {
    name: 'dimension', type: 'integer', default: 16, min: 1, max: 512, scope: 'model', lessons: ['positional'],
    doc: { en: 'How many dimensions they have (d).', ko: '그 차원의 수(d).' },
  },
  {
    name: 'waves', type: 'matrix', maxRows: 1, maxCols: 5, default: [[0, 4, 8]], scope: 'view', lessons: ['positional'],
    doc: { en: 'The dimensions that are drawn as waves, counted from 0.', ko: '물결로 그릴 차원. 0부터 셉니다.' },
  },
  {
    name: 'at', type: 'integer', default: 2, min: 0, max: 1023, scope: 'model', lessons: ['positional'],
    doc: { en: 'The position whose pairs are turned.', ko: '쌍을 돌려 볼 위치.' },
  },
  {
    name: 'lag', type: 'integer', default: 3, min: -1023, max: 1023, scope: 'model', lessons: ['positional'],
    doc: { en: 'How many positions further they are turned (k).', ko: '몇 칸 뒤로 돌릴지(k).' },
  },
  {
    name: 'question', type: 'text', maxLength: 300, default: null, scope: 'view', lessons: '*',
    doc: { en: 'A question that is shown above everything, for instance by a teacher.', ko: '맨 위에 보여 줄 질문. 이를테면 선생님의 질문.' },
  },
  {
    name: 'note', type: 'text', maxLength: 300, default: null, scope: 'view', lessons: '*',
    doc: { en: 'A short note beside it.', ko: '그 옆에 붙는 짧은 메모.' },
  },
  {
    name: 'predict', type: 'integer', default: 0, min: 0, max: 1, scope: 'view', lessons: '*',
    doc: { en: '1: the next step opens after its number was predicted, or skipped.', ko: '1이면 다음 단계의 수를 예측하거나 건너뛰어야 다음으로 넘어갑니다.' },
  },
  {
    name: 'hide', type: 'choices', choices: ['inputs', 'settings', 'why', 'further', 'steps'], default: null, scope: 'view', lessons: '*',
    doc: { en: 'Parts of the page that are left out.', ko: '페이지에서 뺄 부분.' },
  },
  {
    name: 'lock', type: 'integer', default: 0, min: 0, max: 1, scope: 'view', lessons: '*',
    doc: { en: '1: the language cannot be switched.', ko: '1이면 언어를 바꿀 수 없습니다.' },
  },
  {
    name: 'embed', type: 'integer', default: 0, min: 0, max: 1, scope: 'view', lessons: '*',
    doc: { en: '1: compact, for a frame inside another page.', ko: '1이면 다른 페이지 안에 넣기 위한 작은 모양.' },
  },
  {
    // Without a default it is always written, and being last it makes links end in a letter.
    name: 'lang', type: 'choice', choices: ['ko', 'en'], default: null, scope: 'view', lessons: '*',
    doc: { en: 'Language of the page; otherwise that of the browser.', ko: '페이지의 언어. 없으면 브라우저의 언어를 따릅니다.' },
  },
];

/** @param {any} value */
function deepFreeze(value) {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** @type {readonly Property[]} */
export const PROPERTIES = deepFreeze(table);

/** The properties of a lesson, as they are there. @param {string} lesson @param {readonly Property[]} [properties] @returns {Property[]} */
export const propertiesOf = (lesson, properties = PROPERTIES) => properties
  .filter(({ lessons }) => lessons === '*' || lessons.includes(lesson))
  .map((property) => ({ ...property, ...property.in?.[lesson] }));
