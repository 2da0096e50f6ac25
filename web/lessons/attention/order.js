// The ordering task: five steps to retell. The first order is fixed, so that a class sees the same task.

const RIGHT_ORDER = ['order-1', 'order-2', 'order-3', 'order-4', 'order-5'];

export const orderTask = {
  start: ['order-4', 'order-1', 'order-5', 'order-3', 'order-2'],

  /** @param {string[]} order @param {number} at @param {1 | -1} by */
  move(order, at, by) {
    const next = [...order];
    [next[at], next[at + by]] = [next[at + by], next[at]];
    return next;
  },

  /** @param {string[]} order */
  isRight: (order) => order.every((key, i) => key === RIGHT_ORDER[i]),
};
