import { freePort } from '../../../tools/postgres-cluster.ts';
import type { HttpClient } from '../http/http-client.ts';
import { logIn } from '../installation.ts';
import { LogWatch } from '../on-call/log-watch.ts';
import { startPhoneCompany } from '../phone-company/phone-company.ts';
import { create } from '../plant.ts';
import { type Server, startServer } from '../server.ts';
import { type PatroniCluster, startPatroniCluster } from './patroni-cluster.ts';

/** Two servers on a PostgreSQL that survives its machines, and people who do not acknowledge. */
export type FailoverSite = {
  readonly cluster: PatroniCluster;
  readonly servers: readonly Server[];
  readonly clients: readonly HttpClient[];
  /** Of `openEscalations` alarms, those for which a text was ordered since then (epoch milliseconds). */
  calledSince(time: number): number;
  close(): Promise<void>;
};

export const openEscalations = 200;

export async function openFailoverSite(): Promise<FailoverSite> {
  const cluster = await startPatroniCluster();
  const company = await startPhoneCompany();
  const servers: Server[] = [];
  // The first one migrates the database.
  for (const _ of ['first', 'second']) {
    const port = await freePort();
    const environment = {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EGRESS_ALLOW: '127.0.0.0/8:*',
      DRAIN_MS: '0',
    };
    servers.push(await startServer({ databaseUrl: cluster.url, environment }));
  }
  const clients = await Promise.all(servers.map((server) => logIn(server)));
  const log = await LogWatch.open(company.logFile);
  const [client] = clients;
  if (!client) throw new Error('no server');
  await openCalls(client, company.url);
  return {
    cluster,
    servers,
    clients,
    calledSince: (time) => {
      const orders = log.lines.filter(({ event, at }) => event === 'accepted' && Date.parse(at) >= time);
      return new Set(orders.map(({ to }) => to)).size;
    },
    close: async () => {
      for (const one of clients) one.close();
      await Promise.all(servers.map((server) => server.kill()));
      await log.close();
      await company.stop();
      await cluster.stop();
    },
  };
}

const atOnce = 20;

/** Alarms that call for ever, each its own person, because nobody acknowledges. */
async function openCalls(client: HttpClient, url: string): Promise<void> {
  await create(client, 'channels', { name: 'Texts', kind: 'simulated', medium: 'Sms', settings: { url } });
  const open = async (number: number) => {
    const address = `+336${String(number).padStart(8, '0')}`;
    const media = [{ kind: 'Sms', address }];
    const userId = await create(client, 'users', { username: `user ${number}`, role: 'operator', media });
    const quick = { ackTimeout: 10, attempts: 1, cycles: 100 };
    const id = await create(client, 'callgroups', { name: `Group ${number}`, userIds: [userId], ...quick });
    await create(client, 'alarms', { path: `open/${number}`, alarmActions: [{ type: 'CallGroup', id }] });
  };
  const numbers = Array.from({ length: openEscalations }, (_, index) => index + 1);
  for (let from = 0; from < openEscalations; from += atOnce)
    await Promise.all(numbers.slice(from, from + atOnce).map(open));
}
