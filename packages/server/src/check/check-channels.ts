import type { Logger } from 'pino';
import type { ChannelDependencies } from '../channels/channel.routes.ts';
import type { ChannelRow } from '../channels/channel.store.ts';
import { type ChannelPool, createChannelPool } from '../channels/channel-pool.ts';
import type { Health } from '../channels/port/channel.ts';
import { error, type Finding, orOk, reasonOf, warning } from './finding.ts';
import { within } from './run-checks.ts';
import type { TenantState, TenantStates } from './tenant-state.store.ts';

const checkMs = 4_000;
const maxWaitMs = 4_500;
const maxChannels = 100;

export type ChannelServices = {
  readonly dependencies: ChannelDependencies;
  readonly log: Logger;
  readonly now: () => Date;
};

/** Asks every enabled channel whether its provider answers. Nobody is called. */
export async function checkChannels(
  { tenants }: TenantStates,
  { dependencies, log, now }: ChannelServices,
): Promise<readonly Finding[]> {
  const pool = createChannelPool({
    ...dependencies,
    log,
    now,
    readMedia: async () => undefined,
    // A provider that delivers a reply now must keep it for the server.
    receive: () => Promise.reject(new Error('this command takes in nothing')),
  });
  const channels = tenants.flatMap((tenant) => tenant.channels.map((row) => ({ tenant, row })));
  const examined = channels.slice(0, maxChannels);
  const found = await Promise.all(examined.map(({ tenant, row }) => checkChannel(pool, tenant, row)));
  void pool.close();
  const counted = examined.length === channels.length ? '' : ` (examined: the first ${maxChannels})`;
  return orOk(
    [...tenants.flatMap(mediumFindings), ...found.flat()],
    'channels',
    `${channels.length} enabled channels work${counted}`,
  );
}

const configure = 'correct its settings in the console (Configure, Channels), or disable it';

async function checkChannel(pool: ChannelPool, tenant: TenantState, row: ChannelRow): Promise<Finding[]> {
  const what = `Channel ${row.name} (${row.medium}) of tenant ${tenant.name}`;
  const opened = pool.open(tenant.id, row);
  if (opened.kind === 'unusable')
    return [error('channels.unusable', `${what} cannot be used. ${opened.reason}`, configure)];
  const simulated =
    row.kind === 'simulated'
      ? [
          warning(
            'channels.simulated',
            `${what} is simulated: it calls nobody`,
            'replace it by a channel of a real provider, unless this is a trial',
          ),
        ]
      : [];
  const health = await healthOf(() => opened.channel.check(AbortSignal.timeout(checkMs)));
  return health.works
    ? simulated
    : [...simulated, error('channels.down', `${what} does not work: ${health.reason}`, configure)];
}

async function healthOf(check: () => Promise<Health>): Promise<Health> {
  try {
    return await within(maxWaitMs, check);
  } catch (thrown) {
    return { works: false, reason: reasonOf(thrown) };
  }
}

/** Media of people in call groups for which there is no channel. */
function mediumFindings({ name, directory: { groups, people }, channels }: TenantState): Finding[] {
  const called = new Set([...groups.values()].flatMap(({ userIds }) => userIds));
  const media = [...called].flatMap((id) => people.get(id)?.media.map(({ kind }) => kind) ?? []);
  const served = new Set(channels.map(({ medium }) => medium));
  const missing = [...new Set(media)].filter((kind) => !served.has(kind)).toSorted();
  return missing.map((kind) =>
    error(
      'channels.missing',
      `People of tenant ${name} have addresses for ${kind}, and no enabled channel serves them`,
      `add or enable a channel for ${kind} in the console (Configure, Channels)`,
    ),
  );
}
