import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../acceptance/harness/database.ts';
import { HttpClient } from '../../acceptance/harness/http/http-client.ts';
import { LogWatch } from '../../acceptance/harness/on-call/log-watch.ts';
import { startPhoneCompany } from '../../acceptance/harness/phone-company/phone-company.ts';
import { create } from '../../acceptance/harness/plant.ts';
import { firstAdmin, type Server, startServer } from '../../acceptance/harness/server.ts';
import type { BenchContext } from './benchmark.ts';
import { startFlushingCluster } from './plant.ts';

/** A plant whose alarms call people, and whose dispatcher runs only when it is started. */
export type DispatchPlant = {
  readonly databaseUrl: string;
  /** Log of the phone company. */
  readonly log: LogWatch;
  /** Raises alarms for the people of a team, round-robin. */
  raise(alarms: number, team: 0 | 1, bodyOf: (number: number) => object): Promise<void>;
  startDispatcher(): Promise<Server>;
};

const atOnce = 64;

/**
 * With two teams of so many people, each alone in a call group, and all telephones taking every call at once. Two,
 * because more than ten alarms for one person in ten minutes are bundled.
 */
export async function startDispatchPlant(
  context: BenchContext,
  { people }: { people: number },
): Promise<DispatchPlant> {
  const database = await createDatabase(await startFlushingCluster(context));
  const company = await startPhoneCompany();
  context.onCleanup(() => company.stop());
  const log = await LogWatch.open(company.logFile);
  context.onCleanup(() => log.close());
  const keyFile = join(await mkdtemp(join(tmpdir(), 'tocsin-key-')), 'key');
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o400 });
  const start = (roles: string) =>
    startServer({
      databaseUrl: database.url,
      environment: {
        DRAIN_MS: '0',
        ROLES: roles,
        EGRESS_ALLOW: '127.0.0.0/8:*',
        SECRETS_KEY_FILE: keyFile,
      },
    });
  const api = await start('api');
  context.onCleanup(() => api.stop());
  const client = new HttpClient(api.baseUrl);
  context.onCleanup(async () => client.close());
  await client.logIn(firstAdmin.username, firstAdmin.password);
  const settings = { url: company.url };
  await create(client, 'channels', { name: 'Texts', kind: 'simulated', medium: 'Sms', settings });
  context.progress(`hiring ${people} people`);
  const groupIds = await hire(client, people * 2);
  let tags = 0;
  return {
    databaseUrl: database.url,
    log,
    raise: (alarms, team, bodyOf) =>
      inParallel(alarms, async (number) => {
        tags += 1;
        const id = groupIds[team * people + (number % people)];
        const alarmActions = [{ type: 'CallGroup', id }];
        await create(client, 'alarms', { path: `bench/${tags}`, alarmActions, ...bodyOf(number) });
      }),
    startDispatcher: () => start('dispatch'),
  };
}

async function hire(client: HttpClient, people: number): Promise<number[]> {
  const groupIds: number[] = [];
  await inParallel(people, async (number) => {
    // Texts, because a telephone takes one call at a time.
    const media = [{ kind: 'Sms', address: `+336${String(number).padStart(8, '0')}` }];
    const userIds = [await create(client, 'users', { username: `user ${number}`, role: 'operator', media })];
    groupIds.push(await create(client, 'callgroups', { name: `Group ${number}`, userIds, ackTimeout: 600 }));
  });
  return groupIds;
}

async function inParallel(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
