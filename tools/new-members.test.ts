import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newMembers } from './new-members.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const places = newMembers.flatMap((member) => member.places);

test.for(places)('$file has the line behind which $name goes, once', ({ file, text }) => {
  expect(readFileSync(`${root}/${file}`, 'utf8').split(text)).toHaveLength(2);
});
