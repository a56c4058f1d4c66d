import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type Channel, type ChannelContext, channelKind, type Health } from '../port/channel.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { shortMessage } from '../port/short-message.ts';
import { isOwnName, outboxName } from './modem-file.ts';
import { type ModemFolder, type ModemFolders, openModemFolders } from './modem-folders.ts';
import { createModemWatch, modemFailure, modemReasons, stuckMs } from './modem-watch.ts';

/** A modem sends a message in three to ten seconds. More messages than these wait elsewhere, where others see them. */
const maxWaiting = 10;
const busySeconds = 5;
const lookMs = 500;

const noModem = 'there is no such modem on this server: ask the operator (SMS_MODEM_DIRECTORY)';

const Settings = Type.Object({
  modem: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
    title: 'Modem',
    description: 'Its name: that of its folder on the server.',
  }),
});

export const modemKind = channelKind({
  title: 'SMS (modem)',
  description:
    'Sends texts by a GSM modem in the plant through gammu-smsd, and receives replies. Needs no network.',
  media: ['Sms'],
  settings: Settings,
  create: ({ modem }, context) =>
    context.modemDirectory === undefined
      ? missingModem()
      : modemChannel(join(context.modemDirectory, modem), context),
});

function missingModem(): Channel {
  return {
    place: async () => modemFailure(noModem),
    check: async () => ({ works: false, reason: noModem }),
  };
}

function modemChannel(directory: string, context: ChannelContext): Channel {
  const folders = openModemFolders(directory);
  /** Runs a task on the folders. What the file system says is for the operator. */
  const guarded = async <Result>(task: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await task();
    } catch (error) {
      context.log.info({ directory, cause: String(error) }, 'a modem cannot be used');
      return otherwise;
    }
  };
  return {
    place: (message) => guarded(() => place(folders, message, context.now()), modemFailure(noModem)),
    query: ({ attemptId }) => guarded(() => outcomeOf(folders, tokenOf(attemptId)), undefined),
    check: () => guarded(() => check(folders, context.now()), { works: false, reason: noModem }),
    listen: async (signal) => {
      const look = createModemWatch(folders, context.inbox);
      while (!signal.aborted) {
        await look(context.now());
        await sleep(lookMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

async function place(folders: ModemFolders, message: Message, now: Date): Promise<ChannelOutcome> {
  if (!/^\+?[0-9]{3,20}$/.test(message.address))
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'not a telephone number' };
  const health = await check(folders, now);
  if (!health.works) return modemFailure(health.reason);
  if ((await folders.list('outbox')).length >= maxWaiting)
    return { kind: 'notNow', reason: 'the modem is busy', retryAfterSeconds: busySeconds };
  const name = outboxName(message.address, tokenOf(message.attemptId), now);
  await folders.writeOut(name, shortMessage(message));
  return { kind: 'accepted', reference: name };
}

/** Whether gammu-smsd runs and takes messages. */
async function check(folders: ModemFolders, now: Date): Promise<Health> {
  if ((await folders.isRunning()) === false) return { works: false, reason: 'gammu-smsd does not run' };
  const waiting = await folders.list('outbox');
  for (const folder of ['inbox', 'sent', 'error'] as const) await folders.list(folder);
  const isStuck = waiting.some(({ changedAt }) => now.getTime() - changedAt.getTime() >= stuckMs);
  return isStuck ? { works: false, reason: modemReasons.stuck } : { works: true };
}

/** Names the files of an attempt. */
function tokenOf(attemptId: string): string {
  return createHash('sha256').update(attemptId).digest('hex').slice(0, 16);
}

async function outcomeOf(folders: ModemFolders, token: string): Promise<ChannelOutcome | undefined> {
  const find = async (folder: ModemFolder) =>
    (await folders.list(folder)).find(({ name }) => isOwnName(name) && name.endsWith(`_${token}.txt`))?.name;
  const failed = await find('error');
  if (failed !== undefined) return { ...modemFailure(modemReasons.refused), reference: failed };
  const reference = (await find('outbox')) ?? (await find('sent'));
  return reference === undefined ? undefined : { kind: 'accepted', reference };
}
