import type { Database } from '../postgres/database.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { type AuditEnd, readAudit } from './audit.store.ts';
import { signHead } from './audit-head.ts';
import type { SigningKey } from './audit-keys.ts';
import { canonicalJson } from './canonical-json.ts';

const batchSize = 1_000;

/**
 * The trail of a tenant up to `end`, as lines of JSON: the tenant and the public key, the entries, and the signed head. A
 * truncated export has no head, which the verifier reports.
 */
export async function* exportTrail(
  database: Database,
  { end, key, at }: { end: AuditEnd; key: SigningKey; at: Date },
): AsyncGenerator<string> {
  const { tenantId } = end;
  yield `${canonicalJson({ format: exportFormat, tenantId, publicKey: key.publicKey })}\n`;
  for (let from = 1; from <= end.number; ) {
    const some = await readTenant(database, tenantId, (transaction) =>
      readAudit(transaction, { from, to: end.number, limit: batchSize }),
    );
    yield some
      .map(({ number, hash, text }) => `{"number":${number},"hash":"${hash}","entry":${text}}\n`)
      .join('');
    from = (some.at(-1)?.number ?? end.number) + 1;
  }
  yield `${canonicalJson({ head: signHead({ ...end, at: at.toISOString() }, key) })}\n`;
}

export const exportFormat = 'tocsin-audit-1';
