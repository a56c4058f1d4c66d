/** The outline of the mark on a grid of 32, to be filled by the even-odd rule. */
export const markPath =
  'M16 2c6.100 0 10 4.600 10 11v8l4 5H2l4-5v-8C6 6.600 9.900 2 16 2zm-6 8v4h4v12h4V14h4v-4zM12 28h8v2.500h-8z';
