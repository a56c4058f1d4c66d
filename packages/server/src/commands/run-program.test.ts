import { closeSync, openSync } from 'node:fs';
import { expect } from 'vitest';
import { machineUser } from './machine-user.ts';
import { type RunningProgram, runProgram } from './run-program.ts';
import type { Program, RunOutcome } from './runner-messages.ts';
import { isAlive, test, until, type Workshop } from './testing/programs.fixture.ts';

const anything = { name: 'text', pattern: '.*', max: 200 };
/** Prints each argument on a line of its own. */
const printArguments = 'for argument in "$@"; do printf "[%s]\\n" "$argument"; done';

type Started = { running: RunningProgram | undefined; ended: Promise<RunOutcome>; pid: Promise<number> };

function start(workshop: Workshop, more: Partial<Program> & { argv: string[] }): Started {
  const ended = Promise.withResolvers<RunOutcome>();
  const pid = Promise.withResolvers<number>();
  const program = {
    key: '1/1',
    rule: undefined,
    parameter: '',
    cwd: workshop.folder,
    timeoutMs: 20_000,
    as: undefined,
    within: undefined,
    ...more,
  };
  const running = runProgram(program, {
    onStarted: (leader) => pid.resolve(leader.pid),
    onEnded: ended.resolve,
  });
  return { running, ended: ended.promise, pid: pid.promise };
}

const run = (workshop: Workshop, more: Partial<Program> & { argv: string[] }) => start(workshop, more).ended;

test.for([
  '$(touch broken)',
  '`touch broken`',
  '; touch broken',
  '&& touch broken',
  '| touch broken',
  '> broken',
  '"quoted" and \'single\'',
  'two  words',
  '*',
  '$HOME ${PATH}',
  '\\n \\x41',
  '%s%n',
  '../../etc/passwd',
  'Ärger im Kessel 3 – 🚨',
])('%s is passed as one argument', async (parameter, { workshop }) => {
  const argv = workshop.script('print', printArguments);
  const outcome = await run(workshop, { argv, rule: anything, parameter });
  expect(outcome).toMatchObject({ status: 'done', exitCode: 0, output: `[--]\n[${parameter}]\n` });
  expect(workshop.note('broken')).toBeUndefined();
});

test('arguments of the list come first, unchanged', async ({ workshop }) => {
  const argv = [...workshop.script('print', printArguments), '--fast', '$(id)'];
  const { output } = await run(workshop, { argv, rule: anything, parameter: 'pump' });
  expect(output).toBe('[--fast]\n[$(id)]\n[--]\n[pump]\n');
});

test('a command without a parameter gets its own arguments only', async ({ workshop }) => {
  const argv = [...workshop.script('print', printArguments), 'siren'];
  expect(await run(workshop, { argv })).toMatchObject({ output: '[siren]\n' });
});

test('a parameter that does not match starts nothing', async ({ workshop }) => {
  const argv = workshop.script('note', 'echo ran > ran');
  const rule = { name: 'pump', pattern: 'pump[0-9]', max: 10 };
  const { running, ended } = start(workshop, { argv, rule, parameter: '$(id)' });
  expect(running).toBeUndefined();
  expect(await ended).toMatchObject({ status: 'refused', reason: 'pump does not match its pattern' });
  expect(workshop.note('ran')).toBeUndefined();
});

test('a program has an empty environment and no input', async ({ workshop }) => {
  expect(await run(workshop, { argv: ['/usr/bin/env'] })).toMatchObject({ status: 'done', output: '' });
  const argv = workshop.script('read', 'read line; echo "read <$line>"; pwd');
  expect(await run(workshop, { argv })).toMatchObject({ output: `read <>\n${workshop.folder}\n` });
});

test('a program gets no file that the server has open', async ({ workshop }) => {
  const secret = openSync(`${workshop.folder}/secret`, 'w');
  const argv = workshop.script('files', 'ls -l /proc/$$/fd');
  const { output } = await run(workshop, { argv });
  closeSync(secret);
  expect(output).toContain('/files');
  expect(output).not.toContain('/secret');
});

test.for([
  ['exit 3', { status: 'failed', reason: 'it ended with 3', exitCode: 3 }],
  ['kill -SEGV $$', { status: 'failed', reason: 'it ended by SIGSEGV', exitCode: null, signal: 'SIGSEGV' }],
] as const)('the end of a program is reported: %s', async ([text, outcome], { workshop }) => {
  expect(await run(workshop, { argv: workshop.script('end', text) })).toMatchObject(outcome);
});

test('a missing program fails', async ({ workshop }) => {
  const outcome = await run(workshop, { argv: [`${workshop.folder}/nothing`] });
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('could not be started'),
  });
});

test("64 KB of a program's output are kept, and the program never blocks on writing", async ({
  workshop,
}) => {
  const argv = workshop.script(
    'talk',
    'head -c 3000000 /dev/zero | tr "\\0" x; echo end >&2; echo ran > ran',
  );
  const { status, output, outputCut } = await run(workshop, { argv });
  expect({ status, length: output.length, outputCut }).toEqual({
    status: 'done',
    length: 65_536,
    outputCut: true,
  });
  expect(workshop.note('ran')).toBe('ran\n');
});

test('output that PostgreSQL cannot store is replaced', async ({ workshop }) => {
  const argv = workshop.script('bytes', 'printf "a\\000b\\377c"');
  expect(await run(workshop, { argv })).toMatchObject({ output: 'a\uFFFDb\uFFFDc', outputCut: false });
});

test('a program that times out is ended with all its processes', async ({ workshop }) => {
  const nested = workshop.script('nested', 'sleep 300 & echo $! > grandchild; wait').join(' ');
  const argv = workshop.script('hang', `${nested} & echo $! > child; sleep 300`);
  const { ended, pid } = start(workshop, { argv, timeoutMs: 700 });
  const own = await pid;
  const child = Number(await until(() => workshop.note('child')));
  const grandchild = Number(await until(() => workshop.note('grandchild')));
  expect([own, child, grandchild].every(isAlive)).toBe(true);
  expect(await ended).toMatchObject({ status: 'timed-out', exitCode: null });
  expect(await until(() => ![own, child, grandchild].some(isAlive))).toBe(true);
});

test('a program that ignores SIGTERM is killed', async ({ workshop }) => {
  const argv = workshop.script('deaf', 'trap "" TERM; while :; do sleep 0.1; done');
  const outcome = await run(workshop, { argv, timeoutMs: 300 });
  expect(outcome).toMatchObject({ status: 'timed-out', signal: 'SIGKILL' });
});

test('processes that a program leaves behind are killed', async ({ workshop }) => {
  const argv = workshop.script('leave', 'sleep 300 & echo $! > left; echo done');
  expect(await run(workshop, { argv })).toMatchObject({ status: 'done', output: 'done\n' });
  const left = Number(workshop.note('left'));
  expect(await until(() => !isAlive(left))).toBe(true);
});

test('a process that left the group and holds the output open delays nothing', async ({ workshop }) => {
  const escape = "setsid sh -c 'echo $$ > left; exec sleep 300' &";
  const argv = workshop.script('escape', `${escape} while [ ! -s left ]; do sleep 0.01; done; echo done`);
  expect(await run(workshop, { argv })).toMatchObject({ status: 'done', output: 'done\n' });
  const left = Number(workshop.note('left'));
  expect(isAlive(left), 'it still holds the output').toBe(true);
  process.kill(left);
});

test('a program that is asked to end may clean up', async ({ workshop }) => {
  const argv = workshop.script(
    'siren',
    'trap "echo off > siren; exit 0" TERM; echo on > siren; while :; do sleep 0.1; done',
  );
  const { running, ended } = start(workshop, { argv });
  await until(() => workshop.note('siren') === 'on\n');
  running?.stop();
  expect(await ended).toMatchObject({ status: 'stopped' });
  expect(workshop.note('siren')).toBe('off\n');
});

test.runIf(machineUser().uid === 0)(
  'a program that runs as another user has no privileges and gains none',
  async ({ workshop }) => {
    const user = machineUser();
    const nobody = user.find('nobody');
    const as = { setpriv: user.setpriv ?? '', ...(nobody ?? { uid: 0, gid: 0 }) };
    const argv = workshop.script(
      'who',
      'id -u; id -g; id -G; grep -E "^(NoNewPrivs|CapEff|CapPrm|CapInh):" /proc/self/status',
    );
    const { output } = await run(workshop, { argv, as });
    expect(output.split('\n').map((line) => line.replace(/\s+/, ' '))).toEqual([
      String(nobody?.uid),
      String(nobody?.gid),
      String(nobody?.gid),
      'CapInh: 0000000000000000',
      'CapPrm: 0000000000000000',
      'CapEff: 0000000000000000',
      'NoNewPrivs: 1',
      '',
    ]);
  },
);

const prlimit = machineUser().prlimit ?? '';

test('the limits of the list are applied', async ({ workshop }) => {
  const argv = workshop.script('limits', 'ulimit -v; ulimit -t; ulimit -f; ulimit -n; ulimit -c');
  const limits = { memoryMegabytes: 512, cpuSeconds: 7, fileMegabytes: 3, openFiles: 64 };
  const outcome = await run(workshop, { argv, within: { prlimit, limits } });
  // In KB, seconds, blocks of 512 bytes and files; core dumps are always disabled.
  expect(outcome).toMatchObject({ status: 'done', output: `${512 * 1_024}\n7\n${3 * 2_048}\n64\n0\n` });
});

test('an endless loop ends when its processor time is used up', async ({ workshop }) => {
  const argv = workshop.script('circle', 'while :; do :; done');
  const outcome = await run(workshop, { argv, within: { prlimit, limits: { cpuSeconds: 1 } } });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'it ended by SIGKILL' });
});

test('a program that exceeds its memory fails, and its parameter is still one argument', async ({
  workshop,
}) => {
  const argv = workshop.script(
    'hungry',
    'printf "[%s]" "$2"; head -c 200000000 /dev/zero | tail -c 200000000 >/dev/null',
  );
  const within = { prlimit, limits: { memoryMegabytes: 64 } };
  const outcome = await run(workshop, { argv, within, rule: anything, parameter: '--as=unlimited x' });
  expect(outcome.status).toBe('refused');
  const other = await run(workshop, { argv, within, rule: anything, parameter: 'x --as=unlimited' });
  expect(other).toMatchObject({ status: 'failed', output: expect.stringContaining('[x --as=unlimited]') });
});
