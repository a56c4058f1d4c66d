import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from './base32.ts';

const stepSeconds = 30;
const secretBytes = 20;
const digits = 6;
/** Steps before and after the present one whose codes are accepted, because clocks differ. */
const window = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** RFC 6238 with HMAC-SHA-1, which all authenticator apps know. `step` is the number of 30 seconds since 1970. */
export function totpCode(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // RFC 4226 §5.3: the last four bits say where the code is taken from.
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fff_ffff;
  return String(number % 10 ** length).padStart(length, '0');
}

export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / stepSeconds);
}

/** The step of a code that is valid now and later than the last accepted one; undefined if it is wrong or was used. */
export function matchingStep(
  secret: Buffer,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | undefined {
  const present = totpStep(now);
  const steps = Array.from({ length: 2 * window + 1 }, (_, index) => present - window + index);
  const given = Buffer.from(code);
  const matching = steps.filter((step) => isSame(given, totpCode(secret, step)));
  return matching.find((step) => step > lastStep);
}

function isSame(given: Buffer, code: string): boolean {
  return given.length === code.length && timingSafeEqual(given, Buffer.from(code));
}

/** The address that a QR code contains. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
