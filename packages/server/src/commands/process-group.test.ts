import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { signalGroup, startTicksOf } from './process-group.ts';
import { isAlive, test, until } from './testing/programs.fixture.ts';

function sleeper(): number {
  const { pid } = spawn('/bin/sleep', ['300'], { detached: true, stdio: 'ignore' });
  if (pid === undefined) throw new Error('no process');
  return pid;
}

test('a group is killed by the id and start time of its leader', async () => {
  const pid = sleeper();
  const startTicks = startTicksOf(pid) ?? '';
  expect(startTicks).toMatch(/^\d+$/);
  expect(signalGroup({ pid, startTicks }, 'SIGKILL')).toBe(true);
  expect(await until(() => !isAlive(pid))).toBe(true);
});

test('a process id that was reused is not signalled', async () => {
  const pid = sleeper();
  const startTicks = startTicksOf(pid) ?? '';
  expect(signalGroup({ pid, startTicks: String(Number(startTicks) - 1) }, 'SIGKILL')).toBe(false);
  expect(isAlive(pid)).toBe(true);
  signalGroup({ pid, startTicks }, 'SIGKILL');
});

test('a process name with parentheses does not hide the start time', async ({ workshop }) => {
  const [, file = ''] = workshop.script(') R 1 (', 'echo ready > ready; sleep 300; true');
  const { pid = 0 } = spawn('/bin/sh', [file], { cwd: workshop.folder, detached: true, stdio: 'ignore' });
  const named = spawn('/bin/sh', ['-c', 'printf "a) R 1 (b" > /proc/$$/comm; sleep 300; true'], {
    detached: true,
    stdio: 'ignore',
  });
  const own = Number(startTicksOf(process.pid));
  await until(() => workshop.note('ready'));
  for (const one of [pid, named.pid ?? 0]) {
    expect(Number(startTicksOf(one))).toBeGreaterThan(own);
    signalGroup({ pid: one, startTicks: startTicksOf(one) ?? '' }, 'SIGKILL');
  }
});

test('a missing process has no start time', () => {
  expect(startTicksOf(2 ** 30)).toBeUndefined();
});
