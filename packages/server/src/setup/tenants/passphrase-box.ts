import { randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecretBox, type SecretBox } from '../../common/secret-box.ts';
import { CannotStart } from '../cannot-start.ts';

/** How the key was derived from the passphrase, as an export states it. */
export type PassphraseSalt = {
  readonly derivation: 'scrypt';
  readonly cost: number;
  readonly blockSize: number;
  readonly salt: string;
};

const minLength = 16;
/** 128 MB and about half a second: guessing passphrases is slow. */
const cost = 131_072;
const blockSize = 8;

export function newSalt(): PassphraseSalt {
  return { derivation: 'scrypt', cost, blockSize, salt: randomBytes(16).toString('base64') };
}

/** Seals with a key that is derived from the passphrase. */
export function passphraseBox(passphrase: string, salt: PassphraseSalt): SecretBox {
  const key = scryptSync(passphrase, Buffer.from(salt.salt, 'base64'), 32, {
    N: salt.cost,
    r: salt.blockSize,
    p: 1,
    maxmem: 512_000_000,
  });
  const box = createSecretBox([key]);
  if (box === undefined) throw new Error('no key');
  return box;
}

export function readPassphrase(file: string): string {
  const passphrase = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (passphrase.length < minLength)
    throw new CannotStart([`The passphrase in ${file} is shorter than ${minLength} characters.`]);
  return passphrase;
}
