import { createHash } from 'node:crypto';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CommandEntry } from './command-entry.ts';
import { readCommandList } from './command-list.ts';
import type { RunnerUser } from './entry-faults.ts';
import { test, type Workshop } from './testing/programs.fixture.ts';

const own = process.getuid?.() ?? 0;
/** A user who is not root. */
const plain: RunnerUser = {
  uid: own === 0 ? 4_711 : own,
  setpriv: undefined,
  prlimit: undefined,
  find: () => undefined,
};
const root: RunnerUser = {
  uid: 0,
  setpriv: '/usr/bin/setpriv',
  prlimit: '/usr/bin/prlimit',
  find: (name) => ({ nobody: { uid: 65_534, gid: 65_534 }, toor: { uid: 0, gid: 0 } })[name],
};

const siren: CommandEntry = {
  id: 7,
  tenantId: 1,
  argv: ['/bin/sh', '-c', 'true'],
  params: [{ name: 'zone', pattern: '[a-z]+', max: 20 }],
  timeoutMs: 5_000,
  cwd: '/',
  maxParallel: 1,
};

function write(workshop: Workshop, content: unknown, mode = 0o644): string {
  const file = join(workshop.folder, 'commands.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(file, mode);
  return file;
}

const read = (workshop: Workshop, content: unknown, user = plain) =>
  readCommandList(write(workshop, content), user);

test('a valid list is read with its hash', ({ workshop }) => {
  const hash = createHash('sha256')
    .update(JSON.stringify([siren]))
    .digest('hex');
  expect(read(workshop, [siren])).toEqual({ list: { hash, entries: [siren] } });
});

test('an empty list is valid', ({ workshop }) => {
  expect(read(workshop, [])).toMatchObject({ list: { entries: [] } });
});

test.for([
  ['no JSON', '[{', 'must be a JSON list of commands'],
  ['no list', siren, 'must be a JSON list of commands'],
  ['an entry without argv', [{ ...siren, argv: undefined }], 'entry 1:'],
  ['an empty argv', [{ ...siren, argv: [] }], 'entry 1: argv'],
  ['a number among the arguments', [siren, { ...siren, id: 8, argv: ['/bin/sh', 7] }], 'entry 2: argv/1'],
  ['a NUL in an argument', [{ ...siren, argv: ['/bin/sh', 'a\u0000b'] }], 'entry 1: argv/1'],
  ['a member nobody knows', [{ ...siren, shell: true }], 'entry 1:'],
  ['two parameters', [{ ...siren, params: [siren.params[0], siren.params[0]] }], 'entry 1: params'],
  ['no end', [{ ...siren, timeoutMs: 0 }], 'entry 1: timeoutMs'],
  ['an end too far away', [{ ...siren, timeoutMs: 3_600_001 }], 'entry 1: timeoutMs'],
  ['no parallel run', [{ ...siren, maxParallel: 0 }], 'entry 1: maxParallel'],
  ['tenant 0', [{ ...siren, tenantId: 0 }], 'entry 1: tenantId'],
  ['a user with a space', [{ ...siren, user: 'no body' }], 'entry 1: user'],
  ['the same command twice', [siren, siren], 'command 7 of tenant 1 is there twice'],
  [
    'a program by its name only',
    [{ ...siren, argv: ['sh'] }],
    'must begin with the full path of a program, not sh',
  ],
  ['a program that is not there', [{ ...siren, argv: ['/bin/no-such'] }], 'there is no program /bin/no-such'],
  ['a folder for a program', [{ ...siren, argv: ['/bin/'] }], 'there is no program /bin/'],
  ['a folder that is not there', [{ ...siren, cwd: '/no-such' }], 'there is no folder /no-such'],
  [
    'a pattern that is none',
    [{ ...siren, params: [{ name: 'zone', pattern: '[a-', max: 5 }] }],
    'the pattern of zone is no regular expression',
  ],
  [
    'a pattern that would close the bracket around it',
    [{ ...siren, params: [{ name: 'zone', pattern: 'a)|(?:b', max: 5 }] }],
    'the pattern of zone is no regular expression',
  ],
] as const)('the server does not start with %s', ([, content, fault], { workshop }) => {
  const outcome = read(workshop, content);
  expect(outcome).toHaveProperty('faults');
  expect(JSON.stringify(outcome)).toContain(fault);
  expect(JSON.stringify(outcome)).toContain('COMMANDS_FILE');
});

test('two tenants may use the same command id', ({ workshop }) => {
  expect(read(workshop, [siren, { ...siren, tenantId: 2 }])).toHaveProperty('list');
});

test('all faults are reported at once', ({ workshop }) => {
  const outcome = read(workshop, [
    { ...siren, cwd: '/no-such' },
    { ...siren, id: 8, argv: ['sh'] },
  ]);
  expect(outcome).toEqual({
    faults: [
      expect.stringMatching(/command 7 of tenant 1: there is no folder/),
      expect.stringMatching(/command 8 of tenant 1: argv must begin/),
    ],
  });
});

test.for([0o666, 0o664, 0o622])('a list that others may write (%o) is refused', (mode, { workshop }) => {
  const outcome = readCommandList(write(workshop, [siren], mode), plain);
  expect(JSON.stringify(outcome)).toContain('can be written by others than its owner: chmod go-w it');
});

test.runIf(own === 0)('a list of another user is refused', ({ workshop }) => {
  const file = write(workshop, [siren]);
  chownSync(file, 65_534, 65_534);
  expect(JSON.stringify(readCommandList(file, plain))).toContain(
    'must belong to root or to the user of the server',
  );
});

test('a program that others may write is refused', ({ workshop }) => {
  const [, file = ''] = workshop.script('open', 'true');
  chmodSync(file, 0o777);
  const outcome = read(workshop, [{ ...siren, argv: [file] }]);
  expect(JSON.stringify(outcome)).toContain('can be written by others than its owner');
});

test('a file that is not executable is refused', ({ workshop }) => {
  const [, file = ''] = workshop.script('text', 'true');
  chmodSync(file, 0o644);
  expect(JSON.stringify(read(workshop, [{ ...siren, argv: [file] }]))).toContain('cannot be executed');
});

test('a missing list prevents the start of the server', ({ workshop }) => {
  const outcome = readCommandList(join(workshop.folder, 'nothing.json'), plain);
  expect(outcome).toEqual({
    faults: [expect.stringMatching(/^COMMANDS_FILE names a file that cannot be read/)],
  });
});

test.for([
  ['root must name a user', siren, root, 'the server runs as root, so it must name a user'],
  [
    'others cannot name one',
    { ...siren, user: 'nobody' },
    plain,
    'only a server that runs as root can run it as nobody',
  ],
  ['the user must exist', { ...siren, user: 'nemo' }, root, 'there is no user nemo'],
  ['the user must not be root by another name', { ...siren, user: 'toor' }, root, 'toor is root'],
  [
    'setpriv must be there',
    { ...siren, user: 'nobody' },
    { ...root, setpriv: undefined },
    'a user is named, and setpriv is not installed',
  ],
  [
    'prlimit must be there for limits',
    { ...siren, limits: { cpuSeconds: 1 } },
    plain,
    'it has limits, and prlimit is not installed',
  ],
  [
    'the processes of the server itself are not limited',
    { ...siren, limits: { processes: 10 } },
    { ...plain, prlimit: '/usr/bin/prlimit' },
    'the limit of processes needs a user of its own',
  ],
] as const)('the user of programs: %s', ([, entry, user, fault], { workshop }) => {
  expect(JSON.stringify(read(workshop, [entry], user))).toContain(fault);
});

test('a server that runs as root runs programs as another user', ({ workshop }) => {
  expect(read(workshop, [{ ...siren, user: 'nobody' }], root)).toHaveProperty('list');
});
