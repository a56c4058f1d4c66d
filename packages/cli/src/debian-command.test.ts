import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientCommands } from './run-command-line.ts';

const script = readFileSync(new URL('../../../packaging/deb/tocsin', import.meta.url), 'utf8');

test('the command of the Debian package runs exactly the commands that talk to a server as the caller', () => {
  const [, names = ''] = /^ {2}([a-z |-]+)\) exec /m.exec(script) ?? [];
  expect(names.split(' | ')).toEqual(clientCommands.map(({ name }) => name));
});
