import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { type PhoneCompany, startPhoneCompany } from '../phone-company/phone-company.ts';
import type { Behaviour, LogLine } from '../phone-company/protocol.ts';
import { create, openPlant, type Plant } from '../plant.ts';
import { LogWatch } from './log-watch.ts';

/** A person with a telephone, and perhaps a mobile that receives texts. */
export type Colleague = { id: number; name: string; phone: string; mobile: string };

export type ColleagueSettings = {
  /** Behaviour of the telephone; by default it rings for ever. */
  phone?: Behaviour | Behaviour[];
  /** Behaviour of the mobile; without it the person has no text medium. */
  mobile?: Behaviour | Behaviour[];
  /** Replaces the media that follow from `phone` and `mobile`. */
  media?: { kind: string; address: string }[];
};

/** A plant whose calls go through a simulated phone company. */
export type OnCallPlant = Plant & {
  readonly company: PhoneCompany;
  readonly log: LogWatch;
  /** Signs the reports of the phone company. */
  readonly callbackSecret: string;
  /** Needed by each further server of the same database. */
  readonly secretsKeyFile: string;
  readonly channels: { readonly voice: number; readonly texts: number };
  hire(name: string, settings?: ColleagueSettings): Promise<Colleague>;
  /** A call group of these people, each with five seconds to acknowledge. */
  group(people: readonly Colleague[], settings?: object): Promise<number>;
  /** The orders that the phone company has accepted for a person. */
  callsTo(who: Colleague): LogLine[];
};

export async function openOnCallPlant(environment: Record<string, string> = {}): Promise<OnCallPlant> {
  const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const company = await startPhoneCompany({ callbackSecret });
  const port = await freePort();
  const secretsKeyFile = await keyFile();
  const plant = await openPlant('', {
    ROLES: 'api,hub,dispatch',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    EGRESS_ALLOW: '127.0.0.0/8:*',
    SECRETS_KEY_FILE: secretsKeyFile,
    ...environment,
  });
  const settings = { url: company.url, callbackSecret };
  const channel = (medium: string) =>
    create(plant.client, 'channels', { name: medium, kind: 'simulated', medium, settings });
  const channels = { voice: await channel('Voice'), texts: await channel('Sms') };
  const log = await LogWatch.open(company.logFile);
  const { hire, group } = office(plant, company);
  return {
    ...plant,
    company,
    log,
    callbackSecret,
    secretsKeyFile,
    channels,
    hire,
    group,
    callsTo: ({ phone, mobile }) =>
      log.lines.filter(({ event, to }) => event === 'accepted' && (to === phone || to === mobile)),
    close: async () => {
      await log.close();
      await plant.close();
      await company.stop();
    },
  };
}

const rings: Behaviour = { kind: 'accepts' };

async function keyFile(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'tocsin-key-')), 'key');
  await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o400 });
  return file;
}

function office({ client }: Plant, company: PhoneCompany): Pick<OnCallPlant, 'hire' | 'group'> {
  let hired = 0;
  let groups = 0;
  return {
    hire: async (name, { phone: does = rings, mobile: shows, media: own } = {}) => {
      hired += 1;
      const number = String(hired).padStart(6, '0');
      const [phone, mobile] = [`+33100${number}`, `+33600${number}`];
      await company.script(phone, does);
      if (shows !== undefined) await company.script(mobile, shows);
      const calls = { kind: 'Voice', address: phone };
      const media = own ?? (shows === undefined ? [calls] : [calls, { kind: 'Sms', address: mobile }]);
      const username = `${name.toLowerCase()}.${number}`;
      const id = await create(client, 'users', { username, name, role: 'operator', media });
      return { id, name, phone, mobile };
    },
    group: (people, settings = {}) => {
      groups += 1;
      const userIds = people.map(({ id }) => id);
      const quick = { ackTimeout: 5, attempts: 1, cycles: 1 };
      return create(client, 'callgroups', { name: `Group ${groups}`, userIds, ...quick, ...settings });
    },
  };
}
