import type { Inbox } from '../port/channel.ts';
import type { Failure } from '../port/outcome.ts';
import { isOwnName, readInboxName, readInboxText } from './modem-file.ts';
import type { ModemEntry, ModemFolders } from './modem-folders.ts';
import { cleanReply } from './smpp-text.ts';

/** A message that gammu-smsd has not sent for this long is withdrawn: it would come when nobody needs it. */
export const stuckMs = 90_000;
/** Sent messages and taken replies contain the texts of alarms. */
const keptMs = 24 * 3_600_000;
/** Ten parts of the longest text are far smaller. */
const maxFileBytes = 16_384;

export const modemReasons = {
  refused: 'the modem could not send the message',
  stuck: 'gammu-smsd takes no messages: look at its log and at the modem',
} as const;

/** Looks at the folders once. Call it again and again: a file is taken in when it has not grown since the last look. */
export function createModemWatch(folders: ModemFolders, inbox: Inbox): (now: Date) => Promise<void> {
  let former = new Map<string, number>();
  return async (now) => {
    const received = await folders.list('inbox');
    for (const [from, entries] of groupReplies(received, former))
      await takeReply(folders, inbox, from, entries);
    former = new Map(received.map(({ name, size }) => [name, size]));
    await reportFailures(folders, inbox, now);
    await removeOld(folders, now);
  };
}

type Part = ModemEntry & { readonly part: number };

/** Replies whose parts are all as they were at the last look, each with its sender. */
function groupReplies(
  received: readonly ModemEntry[],
  former: ReadonlyMap<string, number>,
): [string, Part[]][] {
  const groups = new Map<string, { from: string; parts: Part[] }>();
  for (const entry of received) {
    const named = readInboxName(entry.name);
    if (!named) continue;
    const group = groups.get(named.message) ?? { from: named.from, parts: [] };
    group.parts.push({ ...entry, part: named.part });
    groups.set(named.message, group);
  }
  return [...groups.values()]
    .filter(({ parts }) => parts.every(({ name, size }) => former.get(name) === size))
    .map(({ from, parts }) => [from, parts.toSorted((one, other) => one.part - other.part)]);
}

/** Takes in a reply. Its files are moved when it is stored, so that a crash repeats it and never loses it. */
async function takeReply(
  folders: ModemFolders,
  inbox: Inbox,
  from: string,
  parts: readonly Part[],
): Promise<void> {
  const readable = parts.filter(({ size }) => size <= maxFileBytes);
  const texts = await Promise.all(
    readable.map(async ({ name }) => readInboxText(await folders.readIn(name))),
  );
  const text = cleanReply(texts.join(''));
  if (text !== '') await inbox({ kind: 'reply', attemptId: '', from, text });
  for (const { name } of parts) await folders.finish('inbox', name);
}

async function reportFailures(folders: ModemFolders, inbox: Inbox, now: Date): Promise<void> {
  const report = (reference: string, reason: string) =>
    inbox({ kind: 'outcome', attemptId: '', outcome: { ...modemFailure(reason), reference } });
  for (const { name } of await folders.list('error')) {
    if (!isOwnName(name)) continue;
    await report(name, modemReasons.refused);
    await folders.finish('error', name);
  }
  for (const { name, changedAt } of await folders.list('outbox')) {
    if (!isOwnName(name) || now.getTime() - changedAt.getTime() < stuckMs) continue;
    if (await folders.finish('outbox', name)) await report(name, modemReasons.stuck);
  }
}

export function modemFailure(reason: string): Failure {
  return { kind: 'failed', permanent: false, blame: 'channel', reason };
}

async function removeOld(folders: ModemFolders, now: Date): Promise<void> {
  const isOld = ({ changedAt }: ModemEntry) => now.getTime() - changedAt.getTime() > keptMs;
  for (const entry of await folders.list('sent'))
    if (isOwnName(entry.name) && isOld(entry)) await folders.remove('sent', entry.name);
  const done = await folders.list('done').catch(() => []);
  for (const entry of done) if (isOld(entry)) await folders.remove('done', entry.name);
}
