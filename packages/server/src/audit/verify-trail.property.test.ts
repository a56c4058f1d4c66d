import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AuditEntry, type ChainedEntry, chainHash, noHash } from './audit-entry.ts';
import { type AuditHead, keyIdOf, signHead } from './audit-head.ts';
import { canonicalJson } from './canonical-json.ts';
import { deletionAction, type Trail, verifyTrail } from './verify-trail.ts';

const tenantId = 7;
const ours = newKey();
const theirs = newKey();
const keys = [{ keyId: ours.keyId, publicKey: ours.publicKey }];

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey, keyId: keyIdOf(publicKey) };
}

const numRuns = Number(process.env['TRAIL_CASES'] ?? 200);
const text = fc.string({ unit: 'binary', maxLength: 8 });
const entries: fc.Arbitrary<AuditEntry> = fc.record({
  tenantId: fc.constant(tenantId),
  at: fc.constantFrom('2026-03-01T06:00:00.000Z', '2026-03-01T06:00:00.001Z'),
  action: fc.constantFrom('user.change', 'user.delete', 'session.open'),
  object: fc.record({ kind: fc.constant('user'), id: text }),
  actor: fc.record({ kind: fc.constantFrom('user' as const, 'key' as const), id: text, name: text }),
  address: text,
  requestId: text,
  reason: text,
  before: fc.jsonValue(),
  after: fc.jsonValue(),
});

function one<Thing>(list: readonly Thing[], place: number): Thing {
  const found = list.at(place);
  if (found === undefined) throw new Error(`there is none at ${place}`);
  return found;
}

function chain(list: readonly AuditEntry[], from = { number: 0, hash: noHash }): ChainedEntry[] {
  let { number, hash } = from;
  return list.map((entry) => {
    number += 1;
    hash = chainHash(hash, number, canonicalJson(entry));
    return { number, hash, entry };
  });
}

function headOf(
  { number, hash }: ChainedEntry,
  key: { keyId: string; privateKey: KeyObject } = ours,
): AuditHead {
  return signHead({ tenantId, number, hash, at: '2026-03-01T06:01:00.000Z' }, key);
}

/** A trail, and the place where it is tampered with. */
const trails = fc.record({
  list: fc.array(entries, { minLength: 2, maxLength: 12 }),
  place: fc.nat(),
  other: entries,
  /** Whether all hashes from there on are calculated anew. */
  rehashes: fc.boolean(),
});

type Tampering = (list: AuditEntry[], place: number, other: AuditEntry) => AuditEntry[];

const tamperings: Record<string, Tampering> = {
  change: (list, place, other) => list.with(place, other),
  remove: (list, place) => list.toSpliced(place, 1),
  insert: (list, place, other) => list.toSpliced(place, 0, other),
  swap: (list, place) => {
    const next = (place + 1) % list.length;
    return list.with(place, one(list, next)).with(next, one(list, place));
  },
  'cut the tail': (list, place) => list.slice(0, place),
};

/** The rows after tampering: numbered and hashed anew, or with their former hashes. */
function tampered(before: readonly ChainedEntry[], after: AuditEntry[], rehashes: boolean): ChainedEntry[] {
  if (rehashes) return chain(after);
  const hashes = new Map(before.map(({ entry, hash }) => [entry, hash]));
  return after.map((entry, index) => ({
    number: index + 1,
    entry,
    hash: hashes.get(entry) ?? before[index]?.hash ?? noHash,
  }));
}

test.for(Object.entries(tamperings))('the verifier finds: %s', ([, tamper]) => {
  fc.assert(
    fc.property(trails, ({ list, place, other, rehashes }) => {
      const before = chain(list);
      const after = tamper([...list], place % list.length, other);
      fc.pre(canonicalJson(after) !== canonicalJson(list));
      const last = one(before, -1);
      const found = { tenantId, entries: tampered(before, after, rehashes), head: headOf(last) };
      expect(verifyTrail(found, { keys, heads: [] })).not.toEqual([]);
    }),
    { numRuns },
  );
});

test('an older copy with its genuine head is found by the heads published later', () => {
  fc.assert(
    fc.property(trails, fc.boolean(), ({ list, place }, isEmpty) => {
      const whole = chain(list);
      const copy = whole.slice(0, isEmpty ? 1 : 1 + (place % (list.length - 1)));
      const restored: Trail = { tenantId, entries: copy, head: headOf(one(copy, -1)) };
      expect(verifyTrail(restored, { keys, heads: [] })).toEqual([]);
      const heads = whole.map((entry) => headOf(entry));
      expect(verifyTrail(restored, { keys, heads })).not.toEqual([]);
    }),
    { numRuns },
  );
});

test('a trail that continued after a restore is found by the heads published before', () => {
  fc.assert(
    fc.property(trails, ({ list, place, other }) => {
      const whole = chain(list);
      const kept = list.slice(0, place % list.length);
      const rewritten = chain([...kept, { ...other, reason: 'after the restore' }, ...list]);
      const trail = { tenantId, entries: rewritten, head: headOf(one(rewritten, -1)) };
      expect(verifyTrail(trail, { keys, heads: [] })).toEqual([]);
      expect(verifyTrail(trail, { keys, heads: whole.map((entry) => headOf(entry)) })).not.toEqual([]);
    }),
    { numRuns },
  );
});

test('a complete trail has no faults, also after it was written and read again', () => {
  fc.assert(
    fc.property(trails, ({ list }) => {
      const whole = chain(list);
      const read = JSON.parse(JSON.stringify(whole)) as ChainedEntry[];
      const trail = { tenantId, entries: read, head: headOf(one(whole, -1)) };
      expect(verifyTrail(trail, { keys, heads: whole.map((entry) => headOf(entry)) })).toEqual([]);
    }),
    { numRuns },
  );
});

test('a head with a foreign signature, of another tenant, or missing is reported', () => {
  const whole = chain(fc.sample(entries, 3));
  const last = one(whole, -1);
  const faults = (head: AuditHead | undefined) =>
    verifyTrail({ tenantId, entries: whole, head }, { keys, heads: [] });
  expect(faults(headOf(last))).toEqual([]);
  expect(faults(headOf(last, theirs))).toEqual([expect.stringContaining('not signed by a trusted key')]);
  const { hash } = last;
  const forged = signHead({ tenantId, number: 3, hash, at: '' }, { ...theirs, keyId: ours.keyId });
  expect(faults(forged)).toEqual([expect.stringContaining('not signed by a trusted key')]);
  const foreign = signHead({ tenantId: 8, number: 3, hash, at: '' }, ours);
  expect(faults(foreign)).toEqual(['the head is of tenant 8']);
  expect(faults(undefined)).toEqual(['the trail has no signed head']);
});

test('the trail names entries deleted by retention; other missing entries are reported', () => {
  const list = fc.sample(entries, 6);
  const old = chain(list.slice(0, 3));
  const through = one(old, 2);
  const deletion = {
    ...one(list, 0),
    action: deletionAction,
    after: { through: 3, hash: through.hash },
  };
  const kept = chain([...list.slice(3), deletion], through);
  const head = headOf(one(kept, -1));
  const heads = [...old, ...kept].map((entry) => headOf(entry));
  expect(verifyTrail({ tenantId, entries: kept, head }, { keys, heads })).toEqual([]);
  expect(verifyTrail({ tenantId, entries: kept.slice(1), head }, { keys, heads })).toContain(
    'entries before 5 are missing',
  );
});
