import { invalid } from '../../common/problem.ts';
import { isCommonPassword, normalizePassword } from './common-passwords.ts';

/** Characters that people append to a common password to make it long enough. */
const ending = /[\p{N}\p{P}\p{S}\s]$/u;
const maxEnding = 8;
const minNameLength = 3;
/** Characters besides names that a password with names must have. */
const minOtherCharacters = 6;

/** Refuses a password that is guessed early. `names` are those of the user and the tenant. */
export function requireStrongPassword(password: string, names: readonly string[]): void {
  const normalized = normalizePassword(password);
  if (withoutEndings(normalized).some(isCommonPassword)) {
    throw weak('is one of the commonest passwords, or one with a few digits or signs behind it');
  }
  if (isMadeOfNames(normalized, names))
    throw weak('is little more than the name of the user or of the tenant');
}

function weak(what: string): Error {
  return invalid(
    '/password',
    `${what}: take another, such as four or more words that do not belong together`,
  );
}

/** `password12!`, `password12`, `password1`, `password`. */
function withoutEndings(normalized: string): string[] {
  const stems = [normalized];
  let stem = normalized;
  while (stems.length <= maxEnding && ending.test(stem)) {
    stem = stem.replace(ending, '');
    stems.push(stem);
  }
  return stems;
}

function isMadeOfNames(normalized: string, names: readonly string[]): boolean {
  const whole = names.map(normalizePassword);
  const words = whole
    .concat(whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)))
    .filter((word) => word.length >= minNameLength)
    // Longest first, so that a full name is removed before its words.
    .toSorted((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), normalized);
  return rest !== normalized && rest.replace(/[\p{P}\p{S}\s]/gu, '').length < minOtherCharacters;
}
