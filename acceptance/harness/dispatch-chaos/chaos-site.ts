import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type PostgresCluster, startCluster } from '../../../tools/postgres-cluster.ts';
import { OldClient } from '../old-client.ts';
import { type PhoneCompany, startPhoneCompany } from '../phone-company/phone-company.ts';
import { addTenant, firstAdmin, type Server, startServer } from '../server.ts';
import { watchClaims, watchSettings } from './claim-watch.ts';
import { apis, dispatchers } from './fault-schedule.ts';

/** A process that can be killed and comes back at the same port. */
export type Mortal = {
  readonly baseUrl: string;
  /** `kill -9`, and a new one after so long. False when something is the matter with it already. */
  die(seconds: number): Promise<boolean>;
  /** Stopped in its tracks for so long. */
  sleep(seconds: number): Promise<boolean>;
  stop(): Promise<void>;
};

/** Dispatchers, interfaces, PostgreSQL and the phone company: everything that can fail. */
export type ChaosSite = {
  readonly cluster: PostgresCluster;
  readonly company: PhoneCompany;
  readonly callbackSecret: string;
  readonly dispatchers: readonly Mortal[];
  readonly apis: readonly Mortal[];
  /** What logs the administrator of each tenant in. */
  readonly tenants: readonly { tenantId: number; username: string; password: string }[];
  close(): Promise<void>;
};

export async function openChaosSite(): Promise<ChaosSite> {
  const cluster = await startCluster({ durable: true, settings: watchSettings });
  const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const company = await startPhoneCompany({ callbackSecret });
  const keyFile = join(await mkdtemp(join(tmpdir(), 'tocsin-key-')), 'key');
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o400 });
  const apiPorts = await Promise.all(Array.from({ length: apis }, () => freePort()));
  const start = async (name: string, roles: string, port: number) =>
    startMortal(cluster.url(), name, {
      PORT: String(port),
      ROLES: roles,
      PUBLIC_URL: `http://127.0.0.1:${apiPorts[0]}`,
      EGRESS_ALLOW: '127.0.0.0/8',
      SECRETS_KEY_FILE: keyFile,
      DRAIN_MS: '0',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(tmpdir(), 'tocsin-compile-cache'),
    });
  // The first one brings the database up to this release, undisturbed.
  const running: Mortal[] = [await start('api 0', 'api', apiPorts[0] ?? 0)];
  await watchClaims(cluster.url());
  for (const port of apiPorts.slice(1)) running.push(await start(`api ${running.length}`, 'api', port));
  for (let number = 0; number < dispatchers; number++)
    running.push(await start(`dispatcher ${number}`, 'dispatch', await freePort()));
  const second = { tenantId: 2, username: 'admin.2', password: firstAdmin.password };
  await addTenant(cluster.url(), { name: 'Customer 2', admin: second.username, password: second.password });
  return {
    cluster,
    company,
    callbackSecret,
    apis: running.slice(0, apis),
    dispatchers: running.slice(apis),
    tenants: [{ tenantId: 1, ...firstAdmin }, second],
    close: async () => {
      await Promise.all(running.map((one) => one.stop()));
      await company.stop();
      await cluster.stop();
    },
  };
}

async function startMortal(
  databaseUrl: string,
  name: string,
  environment: Record<string, string>,
): Promise<Mortal> {
  let life = 0;
  /** The database knows by this name who does what. */
  const start = () => {
    life += 1;
    const named = `${databaseUrl}?application_name=${encodeURIComponent(`${name}, life ${life}`)}`;
    return startServer({ databaseUrl: named, environment });
  };
  let server: Server = await start();
  const over = new AbortController();
  /** A server that starts while the database is away gives up: whoever keeps it running starts it again. */
  const revive = async () => {
    while (!over.signal.aborted) {
      const started = await start().catch(() => undefined);
      if (started) server = started;
      if (started) return;
      await sleep(500);
    }
  };
  let busy = false;
  /** One thing at a time: who is dying is not killed again. */
  const alone = async (work: () => Promise<void>) => {
    if (busy) return false;
    busy = true;
    await work();
    busy = false;
    return true;
  };
  return {
    baseUrl: server.baseUrl,
    die: (seconds) =>
      alone(async () => {
        await server.kill();
        await sleep(seconds * 1_000);
        await revive();
      }),
    sleep: (seconds) =>
      alone(async () => {
        server.signal('SIGSTOP');
        await sleep(seconds * 1_000);
        server.signal('SIGCONT');
      }),
    stop: async () => {
      over.abort();
      await server.kill();
    },
  };
}

/** A client of each interface with one token, which all of them know. */
export async function logInEverywhere(
  site: ChaosSite,
  { username, password }: ChaosSite['tenants'][number],
): Promise<OldClient[]> {
  const clients = site.apis.map(({ baseUrl }) => new OldClient(baseUrl));
  const [first] = clients;
  const answer = await first?.logIn(username, password);
  if (answer?.status !== 200) throw new Error(`${username} cannot log in: ${answer?.text}`);
  for (const client of clients) client.token = first?.token;
  return clients;
}
