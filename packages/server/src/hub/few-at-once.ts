/** Lets at most `most` of these calls run at a time; the others wait for their turn, first come, first served. */
export function fewAtOnce<Arguments extends readonly unknown[], Result>(
  most: number,
  call: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (...args) => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call(...args);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
