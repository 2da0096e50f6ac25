// What people copy out of other programs, as the rows of a matrix: every number that was there, or why not.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isMatrixText, matrixText } from '../../web/share/paste.js';

for (const [what, text, rows] of /** @type {[string, string, string][]} */ ([
  ['cells of a spreadsheet', '1\t2.5\r\n-3\t4e2\r\n', '1,2.5;-3,4e2'],
  ['lines with commas', '1,2\n3,4', '1,2;3,4'],
  ['lines with commas and blanks', '1, 2 ,3,4', '1,2,3,4'],
  ['lines with blanks', '  1 2\n 3  4 ', '1,2;3,4'],
  ['nested lists', '[[1, 2], [3, 4]]', '1,2;3,4'],
  ['a list', '[1, 2]', '1,2'],
  ['NumPy', 'array([[1., 2.],\n       [3., 4.]], dtype=float32)', '1.,2.;3.,4.'],
  ['NumPy, printed', '[[1. 2.]\n [3. 4.]]', '1.,2.;3.,4.'],
  ['PyTorch', "tensor([[1., 2.]], device='cuda:0', dtype=torch.float64, grad_fn=<MmBackward0>)", '1.,2.'],
  ['TensorFlow', '<tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[1., 2.]], dtype=float32)>', '1.,2.'],
  ['an assignment', 'K1 = [[1, 2]];', '1,2'],
  ['MATLAB', '[1 2; 3 4]', '1,2;3,4'],
]))
  test(`reads ${what}`, () => {
    assert.ok(isMatrixText(text));
    assert.deepEqual(matrixText(text), { text: rows });
  });

describe('tells', () => {
  for (const [what, text, code, detail] of /** @type {[string, string, string, any][]} */ ([
    ['thousands of a spreadsheet', '1\t2,000\n3,000\t4,000', 'comma-in-number', { text: '2,000', row: 0, col: 1 }],
    ['a thousand alone', '1,000', 'comma-in-number', { text: '1,000', row: 0, col: 0 }],
    ['thousands between blanks', '1 2\n3 4,567', 'comma-in-number', { text: '4,567', row: 1, col: 1 }],
    ['decimal commas of a spreadsheet', '1,5\t2,5', 'comma-in-number', { text: '1,5', row: 0, col: 0 }],
    ['decimal commas between blanks', '1,5 2,5', 'comma-in-number', { text: '1,5', row: 0, col: 0 }],
    ['a number beside the rows', '[1,[2,3]]', 'outside-of-rows', { text: '1' }],
    ['a number after the rows', '[[1,2],[3,4]], -5.5', 'outside-of-rows', { text: '-5.5' }],
    ['what was left out', '[[1, ..., 3]]', 'truncated-paste', {}],
  ]))
    test(what, () => assert.deepEqual(matrixText(text), { problem: { code, detail } }));
});
