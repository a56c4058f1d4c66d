import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { auditEnd, firstAuditNumber, listAudit, readAudit, type StoredEntry } from './audit.store.ts';
import { type AuditEntry, type ChainedEntry, importAction, noHash } from './audit-entry.ts';
import { listAuditHeads, newestAuditHead } from './audit-head.store.ts';
import type { AuditHead, AuditKey } from './audit-head.ts';
import { listAuditKeys } from './audit-key.store.ts';
import { readPublicKeyPem } from './audit-keys.ts';
import {
  chainFaults,
  deletedHash,
  deletionAction,
  mismatch,
  type TrailFault,
  tenantsOfEntries,
} from './verify-trail.ts';

/** Small parts leave other requests their turn. */
const partSize = 250;

export type TrailVerification = {
  /** The first and the last entry that were compared; 0 if there is none. */
  readonly from: number;
  readonly to: number;
  /** Whether all stored entries were compared, and not only the newest ones. */
  readonly isWhole: boolean;
  /** The newest signed head. */
  readonly head: AuditHead | undefined;
  /** The fault of the first entry that cannot be trusted. */
  readonly fault: TrailFault | undefined;
};

type Link = { readonly number: number; readonly hash: string };

/**
 * Compares the newest entries of a tenant with their chain and with the heads that were signed. The keys are those of the
 * database, so somebody who owns the database and the secrets key is found only by the heads and keys that are kept elsewhere.
 */
export async function verifyStoredTrail(
  transaction: TenantTransaction,
  maxCount: number,
): Promise<TrailVerification> {
  const [oldest, end] = [await firstAuditNumber(transaction), await auditEnd(transaction)];
  const head = await newestAuditHead(transaction);
  if (oldest === undefined || !end) return { from: 0, to: 0, isWhole: true, head, fault: lost(head, 0) };
  const from = Math.max(oldest, end.number - maxCount + 1);
  const found = { from, to: end.number, isWhole: from === oldest, head };
  const before = await linkBefore(transaction, from, found.isWhole);
  if (!before) return { ...found, fault: { entry: from, text: `entries before ${from} are missing` } };
  const fault = await firstFault(transaction, { before, to: end.number });
  return { ...found, fault: fault ?? lost(head, end.number) };
}

/** The number and hash of the entry before this one, which is stored, was deleted, or never was. */
async function linkBefore(
  transaction: TenantTransaction,
  from: number,
  isOldest: boolean,
): Promise<Link | undefined> {
  const number = from - 1;
  if (number === 0) return { number, hash: noHash };
  if (!isOldest) {
    const [entry] = await readAudit(transaction, { from: number, to: number, limit: 1 });
    return entry;
  }
  const newest = { offset: 0, limit: 1, descending: true };
  const { rows } = await listAudit(transaction, { action: deletionAction }, newest);
  const hash = rows[0] && deletedHash(rows[0].entry, number);
  return hash === undefined ? undefined : { number, hash };
}

async function firstFault(
  transaction: TenantTransaction,
  { before, to }: { before: Link; to: number },
): Promise<TrailFault | undefined> {
  const tenantOf = await readTenantsOfEntries(transaction);
  const keys = (await listAuditKeys(transaction)).flatMap(({ publicKey }) => readPublicKeyPem(publicKey));
  for (let previous = before; previous.number < to; ) {
    const range = { from: previous.number + 1, to: Math.min(to, previous.number + partSize) };
    const entries = (await readAudit(transaction, { ...range, limit: partSize })).map(parse);
    const heads = await listAuditHeads(transaction, range);
    const faults = [
      ...chainFaults({ tenantOf, entries, before: previous }),
      ...headFaults(entries, heads, keys),
    ].toSorted((one, other) => one.entry - other.entry);
    if (faults[0]) return faults[0];
    const last = entries.at(-1);
    if (last?.number !== range.to) return { entry: range.to, text: `entry ${range.to} is missing` };
    previous = last;
  }
  return undefined;
}

/** A tenant is seldom imported more than once. */
const maxImports = 100;

async function readTenantsOfEntries(transaction: TenantTransaction): Promise<(number: number) => number> {
  const oldest = { offset: 0, limit: maxImports, descending: false };
  const { rows } = await listAudit(transaction, { action: importAction }, oldest);
  return tenantsOfEntries(transaction.tenantId, rows);
}

function headFaults(
  entries: readonly ChainedEntry[],
  heads: readonly AuditHead[],
  keys: readonly AuditKey[],
): TrailFault[] {
  const hashes = new Map(entries.map(({ number, hash }) => [number, hash]));
  return heads.flatMap((head) => mismatch(head, hashes, keys).map((text) => ({ entry: head.number, text })));
}

/** The fault of a trail that ends before an entry whose head was signed. */
function lost(head: AuditHead | undefined, last: number): TrailFault | undefined {
  if (!head || head.number <= last) return undefined;
  return { entry: last + 1, text: `entries ${last + 1} to ${head.number} are missing` };
}

function parse({ number, hash, text }: StoredEntry): ChainedEntry {
  try {
    return { number, hash, entry: JSON.parse(text) as AuditEntry };
  } catch {
    // A text that is no JSON has another hash than any entry.
    return { number, hash, entry: {} as AuditEntry };
  }
}
