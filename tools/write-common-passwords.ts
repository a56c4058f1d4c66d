/**
 * Writes `packages/server/data/common-passwords.bin` from a list of passwords, one in a line, the commonest first: the first 100,000,
 * and of the rest those that are long enough to be tried here at all.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { digestOf, normalizePassword } from '@tocsin/server/testing';

const commonest = 100_000;
const shortestPassword = 12;

const [list] = process.argv.slice(2);
if (list === undefined) throw new Error('name the file with the list');
const lines = readFileSync(list, 'utf8').split(/\r?\n/);
const chosen = lines.filter(
  (line, place) => line !== '' && (place < commonest || line.length >= shortestPassword),
);
const digests = new Set(chosen.map((password) => digestOf(normalizePassword(password)).toString('hex')));
const sorted = [...digests].toSorted();
writeFileSync(
  new URL('../packages/server/data/common-passwords.bin', import.meta.url),
  Buffer.from(sorted.join(''), 'hex'),
);
console.log(`${chosen.length} passwords, ${sorted.length} of them different`);
