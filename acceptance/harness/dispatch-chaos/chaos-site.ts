import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startCluster } from '../../../tools/postgres-cluster.ts';
import { OldClient } from '../old-client.ts';
import { type PhoneCompany, startPhoneCompany } from '../phone-company/phone-company.ts';
import { addTenant, firstAdmin, type Server, startServer } from '../server.ts';
import { watchClaims, watchSettings } from './claim-watch.ts';
import { apis, dispatchers, type Medium } from './fault-schedule.ts';

/** A process that can be killed and comes back at the same port. */
export type Mortal = {
  readonly baseUrl: string;
  /** `kill -9`, and a new one after so long. False when something is the matter with it already. */
  die(seconds: number): Promise<boolean>;
  /** Stopped in its tracks for so long. */
  sleep(seconds: number): Promise<boolean>;
  stop(): Promise<void>;
};

/** One for each medium. */
export type Companies = Readonly<Record<Medium, PhoneCompany>>;

/** Dispatchers, interfaces, PostgreSQL and the phone companies: everything that can fail. */
export type ChaosSite = {
  readonly databaseUrl: string;
  loseDatabase(seconds: number): Promise<void>;
  readonly companies: Companies;
  readonly callbackSecret: string;
  readonly dispatchers: readonly Mortal[];
  readonly apis: readonly Mortal[];
  /** What logs the administrator of each tenant in. */
  readonly tenants: readonly { tenantId: number; username: string; password: string }[];
  close(): Promise<void>;
};

/** PostgreSQL of its own, two interfaces, three dispatchers and two tenants. */
export async function openChaosSite(): Promise<ChaosSite> {
  const cluster = await startCluster({ durable: true, settings: watchSettings });
  const roles = [...Array<string>(apis).fill('api'), ...Array<string>(dispatchers).fill('dispatch')];
  const site = await openSite({ databaseUrl: cluster.url(), roles });
  const second = { tenantId: 2, username: 'admin.2', password: firstAdmin.password };
  await addTenant(cluster.url(), { name: 'Customer 2', admin: second.username, password: second.password });
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
  /** Of each process; the first one serves the interface. */
  roles: readonly string[];
  environment?: Record<string, string>;
  /** Called when the database is there, and before anything is called. */
  prepare?: (databaseUrl: string) => Promise<void>;
};

/** One tenant, on a database that somebody else looks after. */
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
  const running: (Mortal & { role: string })[] = [];
  for (const [number, role] of roles.entries()) {
    const name = `${role === 'dispatch' ? 'dispatcher' : role} ${number}`;
    const mortal = await startMortal(databaseUrl, name, {
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
    // The first one brings the database up to this release, undisturbed.
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
