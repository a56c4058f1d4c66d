import { statSync } from 'node:fs';
import type { CommandEntry } from './command-entry.ts';
import { wholePattern } from './parameter-fault.ts';

/** The user of the server, and the tools with which it runs programs as another user. */
export type RunnerUser = {
  readonly uid: number;
  /** Path of setpriv; undefined if it is not installed. */
  readonly setpriv: string | undefined;
  /** Path of prlimit; undefined if it is not installed. */
  readonly prlimit: string | undefined;
  /** Finds the ids of a user of this machine. */
  readonly find: (name: string) => { uid: number; gid: number } | undefined;
};

/** Checks an entry that has the right form. */
export function entryFaults(entry: CommandEntry, user: RunnerUser): string[] {
  const name = `command ${entry.id} of tenant ${entry.tenantId}`;
  const faults = [
    ...programFaults(entry),
    ...folderFaults(entry),
    ...patternFaults(entry),
    ...userFaults(entry, user),
    ...limitFaults(entry, user),
  ];
  return faults.map((fault) => `${name}: ${fault}`);
}

function programFaults({ argv: [program = ''] }: CommandEntry): string[] {
  if (!program.startsWith('/')) return [`argv must begin with the full path of a program, not ${program}`];
  const found = statSync(program, { throwIfNoEntry: false });
  if (!found?.isFile()) return [`there is no program ${program}`];
  if ((found.mode & 0o111) === 0) return [`${program} cannot be executed`];
  if ((found.mode & 0o022) !== 0) return [`${program} can be written by others than its owner`];
  return [];
}

function folderFaults({ cwd }: CommandEntry): string[] {
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? [] : [`there is no folder ${cwd}`];
}

function patternFaults({ params }: CommandEntry): string[] {
  return params.flatMap(({ name, pattern }) => {
    try {
      wholePattern(pattern);
      return [];
    } catch {
      return [`the pattern of ${name} is no regular expression`];
    }
  });
}

/** A server that runs as root must name another user; any other server cannot change the user. */
function userFaults({ user }: CommandEntry, { uid, setpriv, find }: RunnerUser): string[] {
  if (user === undefined) return uid === 0 ? ['the server runs as root, so it must name a user'] : [];
  if (uid !== 0) return [`only a server that runs as root can run it as ${user}`];
  if (setpriv === undefined) return ['a user is named, and setpriv is not installed'];
  const found = find(user);
  if (!found) return [`there is no user ${user}`];
  return found.uid === 0 ? [`${user} is root`] : [];
}

/** The limit of processes is counted by user, so the server's own user must not have one. */
function limitFaults({ limits, user }: CommandEntry, { prlimit }: RunnerUser): string[] {
  if (limits === undefined) return [];
  if (prlimit === undefined) return ['it has limits, and prlimit is not installed'];
  return limits.processes !== undefined && user === undefined
    ? ['the limit of processes needs a user of its own']
    : [];
}
