import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startCluster } from '../../../tools/postgres-cluster.ts';
import { HttpClient } from '../http/http-client.ts';
import { type PhoneCompany, startPhoneCompany } from '../phone-company/phone-company.ts';
import { addTenant, firstAdmin, type Server, startServer } from '../server.ts';
import { watchClaims, watchSettings } from './claim-watch.ts';
import { apis, dispatchers, type Medium } from './fault-schedule.ts';

/** A server process that can be killed and starts again on the same port. */
export type ChaosProcess = {
  readonly baseUrl: string;
  /** Sends SIGKILL and starts it again later. False while another fault affects the process. */
  kill(seconds: number): Promise<boolean>;
  /** Suspends it with SIGSTOP. */
  suspend(seconds: number): Promise<boolean>;
  stop(): Promise<void>;
};

/** One phone company for each medium. */
export type Companies = Readonly<Record<Medium, PhoneCompany>>;

/** API servers, dispatchers, PostgreSQL and phone companies: everything that can fail. */
export type ChaosSite = {
  readonly databaseUrl: string;
  loseDatabase(seconds: number): Promise<void>;
  readonly companies: Companies;
  readonly callbackSecret: string;
  readonly dispatchers: readonly ChaosProcess[];
  readonly apis: readonly ChaosProcess[];
  /** Logins of the administrators. */
  readonly tenants: readonly { tenantId: number; username: string; password: string }[];
  close(): Promise<void>;
};

/** Starts its own PostgreSQL, two API servers and three dispatchers, and creates two tenants. */
export async function openChaosSite(): Promise<ChaosSite> {
  const cluster = await startCluster({ durable: true, settings: watchSettings });
  const roles = [...Array<string>(apis).fill('api'), ...Array<string>(dispatchers).fill('dispatch')];
  const site = await openSite({ databaseUrl: cluster.url(), roles });
  const second = { tenantId: 2, username: 'admin.2', password: firstAdmin.password };
  await addTenant(cluster.url(), { name: 'Tenant 2', admin: second.username, password: second.password });
  return {
    ...site,
    loseDatabase: (seconds) => cluster.restart({ downMs: seconds * 1_000 }),
    tenants: [...site.tenants, second],
    close: async () => {
      await site.close();
      await cluster.stop();
    },
  };
}

export type SiteSettings = {
  databaseUrl: string;
  /** Roles of each process; the first one serves the API. */
  roles: readonly string[];
  environment?: Record<string, string>;
  /** Runs after the migration and before any call. */
  prepare?: (databaseUrl: string) => Promise<void>;
};

/** One tenant on a database that the caller manages. */
export async function openSite({
  databaseUrl,
  roles,
  environment = {},
  prepare = async () => {},
}: SiteSettings): Promise<ChaosSite> {
  const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const companies = {
    Voice: await startPhoneCompany({ callbackSecret }),
    Sms: await startPhoneCompany({ callbackSecret }),
  };
  const keyFile = join(await mkdtemp(join(tmpdir(), 'tocsin-key-')), 'key');
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o400 });
  const ports = await Promise.all(roles.map(() => freePort()));
  const running: (ChaosProcess & { role: string })[] = [];
  for (const [number, role] of roles.entries()) {
    const name = `${role === 'dispatch' ? 'dispatcher' : role} ${number}`;
    const mortal = await startChaosProcess(databaseUrl, name, {
      PORT: String(ports[number]),
      ROLES: role,
      PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
      EGRESS_ALLOW: '127.0.0.0/8:*',
      SECRETS_KEY_FILE: keyFile,
      DRAIN_MS: '0',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(tmpdir(), 'tocsin-compile-cache'),
      ...environment,
    });
    // The first process migrates the database alone.
    if (number === 0) await watchClaims(databaseUrl);
    if (number === 0) await prepare(databaseUrl);
    running.push({ ...mortal, role });
  }
  return {
    databaseUrl,
    loseDatabase: () => Promise.reject(new Error('the database is not ours')),
    companies,
    callbackSecret,
    apis: running.filter(({ role }) => role.includes('api')),
    dispatchers: running.filter(({ role }) => role === 'dispatch'),
    tenants: [{ tenantId: 1, ...firstAdmin }],
    close: async () => {
      await Promise.all(running.map((one) => one.stop()));
      for (const company of Object.values(companies)) await company.stop();
      await rm(dirname(keyFile), { recursive: true, force: true });
    },
  };
}

async function startChaosProcess(
  databaseUrl: string,
  name: string,
  environment: Record<string, string>,
): Promise<ChaosProcess> {
  let starts = 0;
  /** The application name tells the database which process makes a change. */
  const start = () => {
    starts += 1;
    const named = `${databaseUrl}?application_name=${encodeURIComponent(`${name}, start ${starts}`)}`;
    return startServer({ databaseUrl: named, environment });
  };
  let server: Server = await start();
  const over = new AbortController();
  /** Repeats the start, as a supervisor does, because a server exits when it starts without its database. */
  const restart = async () => {
    while (!over.signal.aborted) {
      const started = await start().catch(() => undefined);
      if (started) server = started;
      if (started) return;
      await sleep(500);
    }
  };
  let busy = false;
  /** Skips a fault while another one affects the process. */
  const exclusively = async (work: () => Promise<void>) => {
    if (busy) return false;
    busy = true;
    await work();
    busy = false;
    return true;
  };
  return {
    baseUrl: server.baseUrl,
    kill: (seconds) =>
      exclusively(async () => {
        await server.kill();
        await sleep(seconds * 1_000);
        await restart();
      }),
    suspend: (seconds) =>
      exclusively(async () => {
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

/** A client of each API server, all with the same token. */
export async function logInEverywhere(
  site: ChaosSite,
  { username, password }: ChaosSite['tenants'][number],
): Promise<HttpClient[]> {
  const clients = site.apis.map(({ baseUrl }) => new HttpClient(baseUrl));
  const [first] = clients;
  const answer = await first?.logIn(username, password);
  if (answer?.status !== 200) throw new Error(`${username} cannot log in: ${answer?.text}`);
  for (const client of clients) client.token = first?.token;
  return clients;
}
