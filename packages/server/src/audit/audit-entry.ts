import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The author of an act. `issuer`: an outside issuer authenticated the user, and `id` is `<issuer> <sub>`. `anonymous`: not logged in. */
export type AuditActor = {
  readonly kind: 'user' | 'key' | 'issuer' | 'system' | 'anonymous';
  readonly id: string;
  /** For display only: names can be changed and imitated, `kind` and `id` cannot. */
  readonly name: string;
};

/** The author of an act, and the request it came with. */
export type AuditOrigin = {
  readonly actor: AuditActor;
  readonly address: string;
  readonly requestId: string;
  readonly reason: string;
};

/** An action and its object. `before` and `after` hold no secrets; null stands for an object that does not exist. */
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

/** The server itself. */
export const systemActor: AuditActor = { kind: 'system', id: '', name: '' };

/** The action of a restored tenant. `after.formerTenantId` is the number that the entries before it contain. */
export const importAction = 'tenant.import';

export const systemOrigin: AuditOrigin = { actor: systemActor, address: '', requestId: '', reason: '' };

/** `user:7`, `key:3` or `system`: the form in which actors are searched. */
export function actorName({ kind, id }: Pick<AuditActor, 'kind' | 'id'>): string {
  return id === '' ? kind : `${kind}:${id}`;
}

/** The text of an entry, over which its hash is calculated. */
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

/** The first entry is chained to this hash. */
export const noHash = '00'.repeat(32);

/** SHA-256 over the previous hash, the number as 8 bytes (big-endian) and the text in UTF-8; in hexadecimal. */
export function chainHash(previousHash: string, number: number, text: string): string {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(number));
  return createHash('sha256')
    .update(Buffer.from(previousHash, 'hex'))
    .update(place)
    .update(text)
    .digest('hex');
}
