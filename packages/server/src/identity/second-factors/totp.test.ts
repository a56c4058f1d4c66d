import { describe, expect, test } from 'vitest';
import { base32 } from './base32.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import { matchingStep, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1_000);

describe('codes of an authenticator app', () => {
  // RFC 6238, appendix B, for SHA-1.
  test.for([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const)('at second %i the code is %s, as in RFC 6238', ([seconds, code]) => {
    expect(totpCode(secret, totpStep(at(seconds)), 8)).toBe(code);
  });

  test('a code counts 30 seconds before and after its time, and no longer', () => {
    const now = at(1_234_567_890);
    const step = totpStep(now);
    const matches = (offset: number) =>
      matchingStep(secret, totpCode(secret, step + offset), { now, lastStep: 0 });
    expect([-2, -1, 0, 1, 2].map(matches)).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  test('a code that was used, and those before it, do not count again', () => {
    const now = at(1_234_567_890);
    const step = totpStep(now);
    const matches = (offset: number) =>
      matchingStep(secret, totpCode(secret, step + offset), { now, lastStep: step });
    expect([-1, 0, 1].map(matches)).toEqual([undefined, undefined, step + 1]);
  });

  test.for(['', '12345', '1234567', '      ', '28708２'])('%j is no code', (typed) => {
    expect(matchingStep(secret, typed, { now: at(59), lastStep: 0 })).toBeUndefined();
  });

  test('secrets have 160 bits and differ', () => {
    expect(newTotpSecret()).toHaveLength(20);
    expect(newTotpSecret()).not.toEqual(newTotpSecret());
  });

  test('the address for the QR code names plant and person', () => {
    expect(totpUri(secret, { issuer: 'Tocsin Valmont Water', account: 'anna@x' })).toBe(
      'otpauth://totp/Tocsin%20Valmont%20Water:anna%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tocsin%20Valmont%20Water',
    );
  });

  // RFC 4648, section 10, without padding.
  test.for([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)('%j is %j in base32', ([text, encoded]) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
  });
});

describe('recovery codes', () => {
  test('there are ten, all different, each with 75 random bits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){2}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(15 * Math.log2(32)).toBe(75);
  });

  test('a code read from paper counts in any case, with spaces, and with letters that look like digits', () => {
    const hash = hashRecoveryCode('7K0QF-XH31M-9PDR4');
    expect(hashRecoveryCode(' 7koqf xh3lm 9pdr4')).toEqual(hash);
    expect(hashRecoveryCode('7K0QF-XH31M-9PDR5')).not.toEqual(hash);
  });
});
