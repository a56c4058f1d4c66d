/** French takes the singular below two, zero included. */
export const isOne = (count: number) => count < 2;
