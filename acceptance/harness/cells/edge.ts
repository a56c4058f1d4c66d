import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePrograms } from '../../../tools/needed-programs.ts';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { createDaemon, type Daemon } from '../patroni/daemon.ts';

export type Edge = {
  readonly port: number;
  readonly baseUrl: string;
  /** A program that leads the address of the edge to the other cell. */
  readonly switchProgram: string;
  close(): Promise<void>;
};

/** HAProxy before two cells, with a map from the address of a tenant to its cell. Every address leads to the first one. */
export async function openEdge(cellPorts: readonly [number, number]): Promise<Edge> {
  requirePrograms('/usr/sbin/haproxy');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-edge-'));
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const [map, socket, file] = [
    join(folder, 'cells.map'),
    join(folder, 'admin.sock'),
    join(folder, 'haproxy.cfg'),
  ];
  await writeFile(map, `${address} cell_1\n`);
  await writeFile(file, settings({ port, map, socket, cellPorts }));
  const switchProgram = join(folder, 'lead-to-cell-2');
  const command = `set map ${map} ${address} cell_2\n`;
  await writeFile(
    switchProgram,
    `#!${process.execPath}\nrequire('node:net').connect(${JSON.stringify(socket)}).end(${JSON.stringify(command)}).resume();\n`,
  );
  await chmod(switchProgram, 0o700);
  const daemon = createDaemon({
    name: 'haproxy',
    program: '/usr/sbin/haproxy',
    args: ['-db', '-f', file],
    folder,
    owner: {},
  });
  daemon.start();
  await untilReady(`http://${address}/readyz`, daemon);
  return { port, baseUrl: `http://${address}`, switchProgram, close: () => daemon.kill() };
}

async function untilReady(url: string, { log }: Daemon): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await sleep(50);
  }
  throw new Error(`the edge is not ready: ${await log()}`);
}

type Places = { port: number; map: string; socket: string; cellPorts: readonly [number, number] };

function settings({ port, map, socket, cellPorts }: Places): string {
  const cells = cellPorts.map(
    (cellPort, index) => `backend cell_${index + 1}\n  server api 127.0.0.1:${cellPort}\n`,
  );
  return `global
  maxconn 2000
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 3s
  timeout client 60s
  timeout server 60s
  timeout tunnel 24h
frontend tenants
  bind 127.0.0.1:${port}
  use_backend %[req.hdr(host),lower,map(${map},cell_1)]
${cells.join('')}`;
}
