import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Who acted. `issuer`: an outside issuer vouched for the user, and `id` is `<issuer> <sub>`. `anonymous`: nobody had logged in. */
export type AuditActor = {
  readonly kind: 'user' | 'key' | 'issuer' | 'system' | 'anonymous';
  readonly id: string;
  /** Only to be read: names can be changed and imitated, `kind` and `id` cannot. */
  readonly name: string;
};

/** Where an act came from. */
export type AuditOrigin = {
  readonly actor: AuditActor;
  readonly address: string;
  readonly requestId: string;
  readonly reason: string;
};

/** What was done, and to what. `before` and `after` hold no secrets; null: there was nothing, or there is nothing any more. */
export type AuditAct = {
  /** `<kind of object>.<verb>`, such as `user.change`. */
  readonly action: string;
  readonly object: { readonly kind: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
};

export type AuditDraft = AuditAct & AuditOrigin;

/** An entry as it is hashed and shown. */
export type AuditEntry = AuditDraft & { readonly tenantId: number; readonly at: string };

/** An entry at its place in the chain of its tenant. */
export type ChainedEntry = { readonly number: number; readonly hash: string; readonly entry: AuditEntry };

/** The server acting by itself. */
export const systemActor: AuditActor = { kind: 'system', id: '', name: '' };

export const systemOrigin: AuditOrigin = { actor: systemActor, address: '', requestId: '', reason: '' };

/** `user:7`, `key:3`, `system`: what an actor is found by. */
export function actorName({ kind, id }: Pick<AuditActor, 'kind' | 'id'>): string {
  return id === '' ? kind : `${kind}:${id}`;
}

/** The text of an entry, which its hash is over. */
export function entryText(draft: AuditDraft, { tenantId, at }: { tenantId: number; at: Date }): string {
  const { action, object, actor, address, requestId, reason, before = null, after = null } = draft;
  const { kind, id, name } = actor;
  return canonicalJson({
    tenantId,
    at: at.toISOString(),
    action,
    object: { kind: object.kind, id: object.id },
    actor: { kind, id, name },
    address,
    requestId,
    reason,
    before,
    after,
  });
}

/** What the first entry is hashed with, in place of a hash before it. */
export const noHash = '00'.repeat(32);

/** SHA-256 over the hash before, the number as 8 bytes (big-endian), and the text in UTF-8; in hexadecimal. */
export function chainHash(previousHash: string, number: number, text: string): string {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(number));
  return createHash('sha256')
    .update(Buffer.from(previousHash, 'hex'))
    .update(place)
    .update(text)
    .digest('hex');
}
