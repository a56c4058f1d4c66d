import { type AuditEntry, type ChainedEntry, chainHash, importAction, noHash } from './audit-entry.ts';
import { type AuditHead, type AuditKey, isGenuineHead } from './audit-head.ts';
import { canonicalJson } from './canonical-json.ts';

export type Trail = {
  readonly tenantId: number;
  readonly entries: readonly ChainedEntry[];
  /** The head that came with the entries. */
  readonly head: AuditHead | undefined;
};

/** A part of a trail, which begins after an entry with a known hash. */
export type TrailPart = Pick<Trail, 'entries'> & {
  /** The number of the tenant that the entry of a number must have. */
  readonly tenantOf: (number: number) => number;
  readonly before: { readonly number: number; readonly hash: string };
};

/** A fault of a trail, and the first entry that cannot be trusted. */
export type TrailFault = { readonly entry: number; readonly text: string };

export type Evidence = {
  /** Trusted public keys. They must not come from the export itself. */
  readonly keys: readonly AuditKey[];
  /** Heads published earlier. Without them a truncated trail and an older copy are not found. */
  readonly heads: readonly AuditHead[];
};

/** The action of the entry that records the deletion of old entries. */
export const deletionAction = 'audit.forget';

/** The faults of a trail, one line each; empty if it is complete. */
export function verifyTrail(trail: Trail, evidence: Evidence): string[] {
  return [...wholeChainFaults(trail), ...headFaults(trail, evidence)];
}

function wholeChainFaults({ tenantId, entries }: Trail): string[] {
  const [first] = entries;
  if (!first) return [];
  const hash = startHash(entries);
  if (hash === undefined) return [`entries before ${first.number} are missing`];
  const tenantOf = tenantsOfEntries(tenantId, entries);
  const before = { number: first.number - 1, hash };
  return chainFaults({ tenantOf, entries, before }).map(({ text }) => text);
}

/** The faults of the chain in a part of a trail. */
export function chainFaults({ tenantOf, entries, before }: TrailPart): TrailFault[] {
  const faults: TrailFault[] = [];
  let previous = before;
  for (const { number, hash, entry } of entries) {
    const expected = previous.number + 1;
    if (number !== expected) {
      const text = `entry ${expected} is missing or out of place: ${number} is there instead`;
      return [...faults, { entry: expected, text }];
    }
    if (entry.tenantId !== tenantOf(number))
      faults.push({ entry: number, text: `entry ${number} is of tenant ${entry.tenantId}` });
    if (chainHash(previous.hash, number, canonicalJson(entry)) !== hash)
      return [...faults, { entry: number, text: `entry ${number} was changed, or what was before it` }];
    previous = { number, hash };
  }
  return faults;
}

/** The number of the tenant that each entry must have: entries from before an import have the former number. */
export function tenantsOfEntries(
  tenantId: number,
  entries: readonly Pick<ChainedEntry, 'number' | 'entry'>[],
): (number: number) => number {
  const imports = entries.flatMap(({ number, entry }) => {
    const { formerTenantId } = (entry.after ?? {}) as { formerTenantId?: unknown };
    return entry.action === importAction && typeof formerTenantId === 'number'
      ? [{ number, formerTenantId }]
      : [];
  });
  return (number) => imports.find((one) => number < one.number)?.formerTenantId ?? tenantId;
}

/** The hash before the first entry: the initial hash, or the one that a recorded deletion names. */
function startHash(entries: readonly ChainedEntry[]): string | undefined {
  const [first] = entries;
  if (!first || first.number === 1) return noHash;
  for (const { entry } of entries) {
    const hash = entry.action === deletionAction ? deletedHash(entry, first.number - 1) : undefined;
    if (hash !== undefined) return hash;
  }
  return undefined;
}

/** The hash of the last deleted entry, if the entry records the deletion through that number. */
export function deletedHash({ after }: AuditEntry, number: number): string | undefined {
  const { through, hash } = (after ?? {}) as { through?: unknown; hash?: unknown };
  return through === number && typeof hash === 'string' ? hash : undefined;
}

function headFaults({ tenantId, entries, head }: Trail, { keys, heads }: Evidence): string[] {
  if (!head) return ['the trail has no signed head'];
  const last = entries.at(-1)?.number ?? 0;
  const ownFaults: string[] = [];
  if (head.number !== last)
    ownFaults.push(`the head is of entry ${head.number}, and the last entry is ${last}`);
  if (head.tenantId !== tenantId) ownFaults.push(`the head is of tenant ${head.tenantId}`);
  const some = [head, ...heads].filter((one) => one.tenantId === tenantId);
  return [...ownFaults, ...mismatches(entries, some, keys)];
}

/** The heads that do not match the entries. */
function mismatches(
  entries: readonly ChainedEntry[],
  heads: readonly AuditHead[],
  keys: readonly AuditKey[],
): string[] {
  const first = entries[0]?.number ?? 1;
  const hashes = new Map(entries.map(({ number, hash }) => [number, hash]));
  // The hash of the last deleted entry is still known.
  hashes.set(first - 1, startHash(entries) ?? '');
  return heads.flatMap((head) =>
    head.number < first - 1 ? forgery(head, keys) : mismatch(head, hashes, keys),
  );
}

function forgery(head: AuditHead, keys: readonly AuditKey[]): string[] {
  if (isGenuineHead(head, keys)) return [];
  return [`head ${head.number} of ${head.at} is not signed by a trusted key`];
}

/** What is wrong with a head: its signature, or the entry that it names. */
export function mismatch(
  head: AuditHead,
  hashes: ReadonlyMap<number, string>,
  keys: readonly AuditKey[],
): string[] {
  const { number, at, hash } = head;
  const forged = forgery(head, keys);
  if (forged.length > 0 || hashes.get(number) === hash) return forged;
  return [`entry ${number} is missing, or not the one that was there on ${at}`];
}
