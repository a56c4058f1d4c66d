import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const withinMs = 10_000;

/** Waits until a program listens on a port of the loopback interface. Throws its complaints if it does not. */
export async function untilListening(
  child: ChildProcess,
  { port, name, complaints }: { port: number; name: string; complaints: () => string },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${name} does not listen:\n${complaints()}`);
    await sleep(30);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
