import { newTypedCode } from './typed-code.ts';

/** `K7QM-2XWF-9HTB`: twelve letters out of 31, some 59 random bits. */
export function newSetUpCode(): string {
  return newTypedCode(3);
}
