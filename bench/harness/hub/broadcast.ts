import type { BenchContext } from '../benchmark.ts';
import { type HubProcess, startProcess } from './hub-process.ts';

/** A hub of one of the families, or bare `ws` that sends the same bytes. */
export type BroadcastKind = 'core' | 'classic' | 'bare core' | 'bare classic';

export type ServerCommand =
  | { kind: 'open'; what: BroadcastKind }
  | { kind: 'clients' }
  | { kind: 'measure'; seconds: number };

export type ClientsCommand = {
  what: BroadcastKind;
  port: number;
  controlPort: number;
  clients: number;
  frameLength: number;
};

export type BroadcastOutcome = {
  /** Messages that arrived, over all clients. */
  perSecond: number;
  /** Of the server, for each of them. */
  cpuMicroseconds: number;
  /** 99th percentile of how long the server's event loop was held up. */
  stallMs: number;
  broadcasts: number;
};

/** Opens a server and its clients, each in a process of its own, and broadcasts for some seconds. */
export async function broadcast(
  context: BenchContext,
  { what, clients, seconds }: { what: BroadcastKind; clients: number; seconds: number },
): Promise<BroadcastOutcome> {
  const server = startProcess(new URL('./server-worker.ts', import.meta.url));
  const crowd = startProcess(new URL('./clients-worker.ts', import.meta.url));
  try {
    const place = await server.ask<Omit<ClientsCommand, 'what' | 'clients'>>({ kind: 'open', what });
    await crowd.ask({ what, clients, ...place });
    await untilThere(server, clients);
    await server.ask({ kind: 'measure', seconds: Math.min(1, seconds / 2) });
    const outcome = await server.ask<BroadcastOutcome>({ kind: 'measure', seconds });
    context.progress(
      `${clients} clients, ${what}: ${Math.round(outcome.perSecond)} messages/s, ${outcome.cpuMicroseconds.toFixed(2)} µs each`,
    );
    return outcome;
  } finally {
    await Promise.all([crowd.stop(), server.stop()]);
  }
}

async function untilThere(server: HubProcess, wanted: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { clients } = await server.ask<{ clients: number }>({ kind: 'clients' });
    if (clients === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not all of ${wanted} clients have joined`);
}
