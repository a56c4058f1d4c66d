import { type ChainedEntry, chainHash, noHash } from './audit-entry.ts';
import { type AuditHead, type AuditKey, isGenuineHead } from './audit-head.ts';
import { canonicalJson } from './canonical-json.ts';

export type Trail = {
  readonly tenantId: number;
  readonly entries: readonly ChainedEntry[];
  /** The head that came with the entries. */
  readonly head: AuditHead | undefined;
};

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
  return [...chainFaults(trail), ...headFaults(trail, evidence)];
}

function chainFaults({ tenantId, entries }: Trail): string[] {
  const [first] = entries;
  if (!first) return [];
  const faults: string[] = [];
  let previous = { number: first.number - 1, hash: startHash(entries) };
  if (previous.hash === undefined) return [`entries before ${first.number} are missing`];
  for (const { number, hash, entry } of entries) {
    const expected = previous.number + 1;
    if (number !== expected) {
      faults.push(`entry ${expected} is missing or out of place: ${number} is there instead`);
      break;
    }
    if (entry.tenantId !== tenantId) faults.push(`entry ${number} is of tenant ${entry.tenantId}`);
    if (chainHash(previous.hash ?? '', number, canonicalJson(entry)) !== hash) {
      faults.push(`entry ${number} was changed, or what was before it`);
      break;
    }
    previous = { number, hash };
  }
  return faults;
}

/** The hash before the first entry: the initial hash, or the one that a recorded deletion names. */
function startHash(entries: readonly ChainedEntry[]): string | undefined {
  const [first] = entries;
  if (!first || first.number === 1) return noHash;
  for (const { entry } of entries) {
    if (entry.action !== deletionAction) continue;
    const { through, hash } = (entry.after ?? {}) as { through?: unknown; hash?: unknown };
    if (through === first.number - 1 && typeof hash === 'string') return hash;
  }
  return undefined;
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
  return heads.flatMap((head) => {
    const { number, at, hash } = head;
    if (!isGenuineHead(head, keys)) return [`head ${number} of ${at} is not signed by a trusted key`];
    if (number < first - 1 || hashes.get(number) === hash) return [];
    return [`entry ${number} is missing, or not the one that was there on ${at}`];
  });
}
