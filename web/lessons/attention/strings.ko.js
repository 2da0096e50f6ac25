export default {
  'example.a': '예제 A · 두 키 비교',
  'example.b': '예제 B · 한쪽으로 쏠림',
};
