import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../acceptance/harness/database.ts';
import { HttpClient } from '../acceptance/harness/http/http-client.ts';
import { create } from '../acceptance/harness/plant.ts';
import { firstAdmin, startServer } from '../acceptance/harness/server.ts';
import { startExchange } from '../acceptance/harness/sip/exchange.ts';
import { callManyPeople } from '../acceptance/harness/sip/voice-load.ts';
import { voiceEnvironment } from '../acceptance/harness/sip/voice-plant.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { cpuSeconds } from './harness/cpu-time.ts';
import { startFlushingCluster } from './harness/plant.ts';

/** Telephone calls at the same time, each with its own process, through a trunk on this machine. */
export const benchmark: Benchmark = {
  name: 'voice',
  title: 'telephone calls at the same time, all answered and taken by a key',
  run: async (context) => {
    const people = context.smoke ? 5 : 200;
    const callFolder = await mkdtemp(join(tmpdir(), 'tocsin-calls-'));
    context.onCleanup(() => rm(callFolder, { recursive: true, force: true }));
    const database = await createDatabase(await startFlushingCluster(context));
    const exchange = await startExchange();
    context.onCleanup(() => exchange.stop());
    const environment = { DRAIN_MS: '0', ...voiceEnvironment(callFolder) };
    const server = await startServer({ databaseUrl: database.url, environment });
    context.onCleanup(() => server.stop());
    const client = new HttpClient(server.baseUrl);
    context.onCleanup(async () => client.close());
    await client.logIn(firstAdmin.username, firstAdmin.password);
    const settings = { host: '127.0.0.1', port: exchange.port, lines: people, ringSeconds: 60 };
    await create(client, 'channels', { name: 'Trunk', kind: 'sip', medium: 'Voice', settings });
    context.progress(`calling ${people} people`);
    const load = await callManyPeople({ client, exchange, callFolder }, people);
    context.progress(`${load.taken} have taken their alarm after ${load.seconds.toFixed(1)} s`);
    return [
      { name: `alarms taken of ${people}`, value: load.taken, unit: '', goal: { atLeast: people } },
      { name: 'calls at the same time', value: load.atOnce, unit: '' },
      {
        name: 'from the first alarm to the last answer, 20 s of talk included',
        value: load.seconds,
        unit: 's',
      },
      { name: 'processes of calls left behind', value: load.left, unit: '', goal: { atMost: 0 } },
      {
        name: 'CPU of the server',
        value: ((await cpuSeconds(server.pid)) * 1_000) / people,
        unit: 'ms a call',
      },
    ];
  },
};
