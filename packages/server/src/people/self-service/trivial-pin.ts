/** A column of the telephone's keys, and other PINs that people choose most often. */
const common = new Set(['2580', '0852', '1357', '2468', '1379', '1470', '3690', '7410', '9630', '5683']);

/**
 * Whether a PIN is guessed within the few tries that a call allows: one digit or block repeated (`0000`, `1212`), digits in
 * order (`1234`, `9876`, `7890`), a year, or a common one.
 */
export function isTrivialPin(pin: string): boolean {
  return (
    isRepeatedBlock(pin) || isRun(pin, 1) || isRun(pin, 9) || /^(19|20)\d\d$/.test(pin) || common.has(pin)
  );
}

function isRepeatedBlock(pin: string): boolean {
  return /^(\d+)\1+$/.test(pin);
}

/** 0 follows 9, as on the keys. */
function isRun(pin: string, step: number): boolean {
  const digits = Array.from(pin, Number);
  return digits.every((digit, at) => at === 0 || digit === ((digits[at - 1] ?? 0) + step) % 10);
}
