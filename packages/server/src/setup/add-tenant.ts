import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isZone } from '@tocsin/domain';
import type { Logger } from 'pino';
import { createTenant } from '../people/create-tenant.ts';
import { NumberTaken } from '../people/open-tenant.ts';
import type { Config } from '../settings/config.ts';
import { CannotStart } from './cannot-start.ts';
import { openRuntime } from './open-runtime.ts';

const usage =
  'create-tenant NAME --admin USER --password-file FILE [--station NAME] [--time-zone ZONE] [--number N]';

const options = {
  admin: { type: 'string' },
  'password-file': { type: 'string' },
  station: { type: 'string' },
  'time-zone': { type: 'string' },
  number: { type: 'string' },
} as const;

/** The command `create-tenant`: adds a tenant with an administrator, and returns its number. */
export async function addTenant(config: Config, log: Logger, args: string[]): Promise<number> {
  const tenant = readArguments(args);
  const runtime = await openRuntime(config, log);
  try {
    return await createTenant(runtime, tenant);
  } catch (error) {
    if (!(error instanceof NumberTaken)) throw error;
    throw new CannotStart([
      `The number ${tenant.number} is or was that of another tenant here: choose another one, or leave out --number.`,
    ]);
  } finally {
    await runtime.database.close();
  }
}

function readArguments(args: string[]) {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [name, ...more] = positionals;
  const { admin, 'password-file': passwordFile, station, 'time-zone': timeZone } = values;
  if (name === undefined || more.length > 0) throw new CannotStart([`Name one tenant: ${usage}`]);
  if (admin === undefined || passwordFile === undefined) {
    throw new CannotStart([`The tenant needs an administrator: ${usage}`]);
  }
  if (timeZone !== undefined && !isZone(timeZone)) {
    throw new CannotStart([`--time-zone ${timeZone} is not an IANA time zone, such as Europe/Paris`]);
  }
  const password = readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');
  return {
    name,
    admin: { username: admin, password },
    ...(station !== undefined && { station }),
    ...(timeZone !== undefined && { timeZone }),
    ...(values.number !== undefined && { number: readNumber(values.number) }),
  };
}

const highestNumber = 2 ** 32 - 1;

function readNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= highestNumber) return number;
  throw new CannotStart([`--number ${text} is not a whole number from 1 to ${highestNumber}`]);
}
