import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { CommandEntry } from './command-entry.ts';
import { entryFaults, type RunnerUser } from './entry-faults.ts';

const Entries = Type.Array(CommandEntry, { maxItems: 1_000 });

/** The programs that may be run, as read from the file when the server started. */
export type CommandList = {
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly entries: readonly CommandEntry[];
};

export type ReadCommandList = { list: CommandList } | { faults: string[] };

/** Reads and checks the list. Faults are written for the person who starts the server. */
export function readCommandList(file: string, user: RunnerUser): ReadCommandList {
  const read = readTrusted(file, user);
  if ('faults' in read) return read;
  const entries = parse(read.content);
  if (!Check(Entries, entries)) return { faults: [`COMMANDS_FILE (${file}) ${shapeFault(entries)}`] };
  const faults = [...doubles(entries), ...entries.flatMap((entry) => entryFaults(entry, user))];
  if (faults.length > 0) return { faults: faults.map((fault) => `COMMANDS_FILE (${file}): ${fault}`) };
  return { list: { hash: createHash('sha256').update(read.content).digest('hex'), entries } };
}

/** Checks and reads the same open file, so that renaming it meanwhile has no effect. */
function readTrusted(file: string, { uid }: RunnerUser): { content: Buffer } | { faults: string[] } {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    const { mode, uid: owner } = fstatSync(opened);
    if ((mode & 0o022) !== 0) {
      return { faults: [`COMMANDS_FILE (${file}) can be written by others than its owner: chmod go-w it`] };
    }
    if (owner !== 0 && owner !== uid) {
      return { faults: [`COMMANDS_FILE (${file}) must belong to root or to the user of the server`] };
    }
    return { content: readFileSync(opened) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { faults: [`COMMANDS_FILE names a file that cannot be read: ${reason}`] };
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}

function shapeFault(entries: unknown): string {
  if (!Array.isArray(entries)) return 'must be a JSON list of commands';
  const [fault] = Errors(Entries, entries);
  const [, place = '0', ...rest] = (fault?.instancePath ?? '').split('/');
  const member = rest.length === 0 ? '' : ` ${rest.join('/')}`;
  return `entry ${Number(place) + 1}:${member} ${fault?.message ?? 'does not have the form of a command'}`;
}

function doubles(entries: readonly CommandEntry[]): string[] {
  const groups = Map.groupBy(entries, ({ tenantId, id }) => `${id} of tenant ${tenantId}`);
  return [...groups].flatMap(([name, some]) => (some.length > 1 ? `command ${name} is there twice` : []));
}
