import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/postgres-cluster.ts';

export type Nats = {
  /** Includes the user and password, if there are any. */
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a real NATS server on a free port, which can be stopped and started again. */
export async function startNats(
  user?: { name: string; password: string },
  tls?: { certFile: string; keyFile: string },
  configFile?: string,
): Promise<Nats> {
  const port = await freePort();
  const access = [
    ...(configFile === undefined ? [] : ['--config', configFile]),
    ...(user ? ['--user', user.name, '--pass', user.password] : []),
    ...(tls ? ['--tls', '--tlscert', tls.certFile, '--tlskey', tls.keyFile] : []),
  ];
  const credentials = user ? `${user.name}:${user.password}@` : '';
  let child: ChildProcess | undefined;
  const start = async () => {
    const args = ['--addr', '127.0.0.1', '--port', String(port), ...access];
    child = spawn('nats-server', args, { stdio: 'ignore' });
    await untilOpen(port);
  };
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `${tls ? 'tls' : 'nats'}://${credentials}${tls ? 'localhost' : '127.0.0.1'}:${port}`,
    port,
    start,
    stop,
  };
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error('nats-server does not open its port');
}
