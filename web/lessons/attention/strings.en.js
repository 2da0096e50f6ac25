export default {
  'example.a': 'Example A · two keys',
  'example.b': 'Example B · all on one',
};
