import { type Client, ResultCodeError } from 'ldapts';
import { DirectoryAway } from './directory-away.ts';
import type { DirectoryAccess, WithDirectory } from './directory-connections.ts';
import { attributesOf, type DirectoryEntry, type EntryAttributes, entryOf } from './directory-entry.wire.ts';
import { isBinary } from './directory-filter.ts';

/** A directory, and how people are found in it. */
export type DirectorySettings = DirectoryAccess &
  EntryAttributes & { readonly baseDn: string; readonly userFilter: string };

export type Searched = { kind: 'found'; entry: DirectoryEntry } | { kind: 'unknown' } | { kind: 'ambiguous' };

const searchSeconds = 4;

/** Results of a bind that mean that the directory does not let this person in. */
const refusals: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53]);

/** Finds the only entry that matches the filter. */
export function searchDirectory(
  withDirectory: WithDirectory,
  settings: DirectorySettings,
  filter: string,
): Promise<Searched> {
  return withDirectory(settings, (client) => search(client, settings, filter));
}

/** Finds the only entry that matches the filter, calls `onTry`, and tries the password on it. */
export function checkPassword(
  withDirectory: WithDirectory,
  settings: DirectorySettings,
  { filter, password, onTry }: { filter: string; password: string; onTry: () => void },
): Promise<Searched & { isRight: boolean }> {
  return withDirectory(settings, async (client) => {
    const searched = await search(client, settings, filter);
    // An empty password is an anonymous log-in for a directory, and succeeds for everybody (RFC 4513 §5.1.2).
    if (searched.kind !== 'found' || password === '') return { ...searched, isRight: false };
    onTry();
    return { ...searched, isRight: await canBind(client, searched.entry.dn, password) };
  });
}

async function canBind(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof ResultCodeError && refusals.has(error.code)) return false;
    throw DirectoryAway.because(error);
  }
}

async function search(client: Client, settings: DirectorySettings, filter: string): Promise<Searched> {
  const { bindDn, bindPassword, baseDn, idAttribute } = settings;
  try {
    if (bindDn !== '') await client.bind(bindDn, bindPassword);
    const { searchEntries } = await client.search(baseDn, {
      scope: 'sub',
      derefAliases: 'never',
      sizeLimit: 2,
      timeLimit: searchSeconds,
      filter,
      attributes: attributesOf(settings),
      explicitBufferAttributes: isBinary(idAttribute) ? [idAttribute, 'objectGUID', 'objectSid'] : [],
    });
    const [first, second] = searchEntries;
    if (first === undefined) return { kind: 'unknown' };
    if (second !== undefined) return { kind: 'ambiguous' };
    const entry = entryOf(first, settings);
    if (!entry) throw new DirectoryAway(`the entry has no ${idAttribute}: check idAttribute`);
    return { kind: 'found', entry };
  } catch (error) {
    if (!(error instanceof ResultCodeError)) throw DirectoryAway.because(error);
    throw new DirectoryAway(
      `it refused the search (${error.name}): check bindDn, bindPassword and baseDn`,
      error,
    );
  }
}
