import { invalid } from '../problem.ts';
import { foldPassword, isCommonPassword } from './common-passwords.ts';

/** What people put behind a common password to make it long enough. */
const ending = /[\p{N}\p{P}\p{S}\s]$/u;
const longestEnding = 8;
const shortestName = 3;
/** Of a password that holds names, so much must be something else. */
const leastBesidesNames = 6;

/** Refuses a password that is among the first to be guessed. `names` are those of the user and the tenant. */
export function requireStrongPassword(password: string, names: readonly string[]): void {
  const folded = foldPassword(password);
  if (withoutEndings(folded).some(isCommonPassword)) {
    throw weak('is one of the commonest passwords, or one with a few digits or signs behind it');
  }
  if (isMadeOfNames(folded, names)) throw weak('is little more than the name of the user or of the tenant');
}

function weak(what: string): Error {
  return invalid(
    '/password',
    `${what}: take another, such as four or more words that do not belong together`,
  );
}

/** `password12!`, `password12`, `password1`, `password`. */
function withoutEndings(folded: string): string[] {
  const stems = [folded];
  let stem = folded;
  while (stems.length <= longestEnding && ending.test(stem)) {
    stem = stem.replace(ending, '');
    stems.push(stem);
  }
  return stems;
}

function isMadeOfNames(folded: string, names: readonly string[]): boolean {
  const whole = names.map(foldPassword);
  const words = whole
    .concat(whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)))
    .filter((word) => word.length >= shortestName)
    // A name before the words that it is made of.
    .toSorted((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), folded);
  return rest !== folded && rest.replace(/[\p{P}\p{S}\s]/gu, '').length < leastBesidesNames;
}
