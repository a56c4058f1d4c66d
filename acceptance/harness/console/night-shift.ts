import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { createDatabase } from '../database.ts';
import { granted } from '../http/granted.ts';
import { HttpClient } from '../http/http-client.ts';
import { startPhoneCompany } from '../phone-company/phone-company.ts';
import { firstAdmin, startServer } from '../server.ts';
import { buildWaterworks, type NightAlarm, nightAlarms, raiseNight } from './waterworks.ts';

/** The waterworks at night as pictures show it: people are being called, and others have taken alarms. */
export type NightShift = {
  readonly baseUrl: string;
  /** The operator at the desk. */
  readonly operator: { readonly username: string; readonly password: string };
  /** The numbers of the alarms by their paths. */
  readonly ids: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

const password = 'a long enough password';
const operator = { username: 'marc', password };

/** Who has taken an alarm. */
const takers: Record<string, string> = {
  'Lift.P302.TRIP': 'ben',
  'Lift.PT310.L': 'ben',
  'Filt.DP404.H': 'marc',
  'Pow.G1.UBAT': 'eva',
  'Pow.MCC2.DOOR': 'marc',
};

/** Alarms for which somebody is being called, by the group that is called. */
const called: Record<string, 'process' | 'telemetry'> = {
  'Chlor.CL201.LL': 'process',
  'Sec.D14.OPEN': 'process',
  'Tel.BEL.COMM': 'telemetry',
  'Bel.LT210.ROC': 'telemetry',
};

/** How many seconds ago each alarm was raised, in the order of the list. */
const ages = [134, 1_872, 1_848, 38, 62, 291, 220, 560, 751, 2_470, 33_246, 9_900, 1_629, 12_038, 2_282];

export async function openNightShift(clusterUrl: string): Promise<NightShift> {
  const database = await createDatabase(clusterUrl);
  const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const company = await startPhoneCompany({ callbackSecret });
  const port = String(await freePort());
  const server = await startServer({
    databaseUrl: database.url,
    environment: {
      DRAIN_MS: '0',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EGRESS_ALLOW: '127.0.0.0/8:*',
    },
  });
  const client = await logInAt(server.baseUrl, firstAdmin);
  for (const medium of ['Voice', 'Sms'])
    await create(client, 'channels', {
      name: medium,
      kind: 'simulated',
      medium,
      settings: { url: company.url, callbackSecret },
    });
  const groups = await hirePeople(client);
  const works = await buildWaterworks({ client });
  const alarms = nightAlarms.map((alarm) => atNight(alarm, groups));
  const ids = await raiseNight({ client }, works, alarms);
  await takeAlarms(server.baseUrl, ids);
  await growOld(database.url, ids);
  return {
    baseUrl: server.baseUrl,
    operator,
    ids,
    close: async () => {
      client.close();
      await server.stop();
      await company.stop();
      await database.drop();
    },
  };
}

async function logInAt(baseUrl: string, user: { username: string; password: string }): Promise<HttpClient> {
  const client = new HttpClient(baseUrl);
  granted(await client.logIn(user.username, user.password));
  return client;
}

const create = async (client: HttpClient, kind: string, body: object) =>
  granted<number>(await client.post(`/api/v1/${kind}`, body));

type Groups = Record<'process' | 'telemetry', number>;

async function hirePeople(client: HttpClient): Promise<Groups> {
  let hired = 0;
  const hire = (username: string, name: string) => {
    const media = [{ kind: 'Voice', address: `+3310000${String(++hired).padStart(4, '0')}` }];
    return create(client, 'users', { username, name, password, role: 'operator', media });
  };
  const [anna, ben] = [await hire('anna', 'Anna Keller'), await hire('ben', 'Ben Moreau')];
  const [farid] = [await hire('farid', 'Farid Benali'), await hire('eva', 'Eva Lindt')];
  await hire(operator.username, 'Marc Faure');
  const group = (name: string, userIds: readonly number[]) =>
    create(client, 'callgroups', { name, userIds, ackTimeout: 60, attempts: 2 });
  return {
    process: await group('Process on-call', [anna, ben]),
    telemetry: await group('Telemetry on-call', [farid, ben]),
  };
}

/** People acknowledge afterwards, under their own names. */
function atNight({ ends, ...alarm }: NightAlarm, groups: Groups): NightAlarm {
  const group = called[alarm.path];
  return {
    ...alarm,
    ...(ends !== undefined && ends !== 'ack' && { ends }),
    ...(group && { callGroupId: groups[group] }),
  };
}

async function takeAlarms(baseUrl: string, ids: NightShift['ids']): Promise<void> {
  for (const [path, username] of Object.entries(takers)) {
    const client = await logInAt(baseUrl, { username, password });
    granted(await client.post(`/api/v1/alarms/${ids.get(path)}/acknowledge`, {}));
    client.close();
  }
}

/** The interface raises alarms at the present time only. */
async function growOld(databaseUrl: string, ids: NightShift['ids']): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`update tenants set name = 'Valmont waterworks'`);
  for (const [index, id] of [...ids.values()].entries()) {
    const values = [id, ages[index]];
    await client.query(
      `update alarms set raised_at = raised_at - $2 * interval '1 second',
         last_change = last_change - $2 * interval '1 second' where tag_id = $1`,
      values,
    );
    await client.query(
      `update occurrences set raised_at = raised_at - $2 * interval '1 second' where tag_id = $1`,
      values,
    );
    await client.query(
      `update journal set at = at - $2 * interval '1 second' where tag_id = $1 and kind = 'raised'`,
      values,
    );
  }
  await client.end();
}
