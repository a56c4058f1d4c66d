import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';

export const tenantFormat = 'tocsin-tenant-1';

/**
 * An export is lines of JSON, compressed with gzip: a header, then for each table a line that names it, its rows and a line
 * with their number and hash, and a last line. Rows do not contain the number of the tenant.
 */
export const Header = Type.Object({
  format: Type.Literal(tenantFormat),
  /** The newest migration of the database. */
  migration: Type.String(),
  exportedAt: Type.String(),
  tenant: Type.Object({ number: Type.Integer(), name: Type.String() }),
  /** Null if the secrets are left out. */
  secrets: Type.Union([
    Type.Null(),
    Type.Object({
      derivation: Type.Literal('scrypt'),
      cost: Type.Integer({ minimum: 1, maximum: 1_048_576 }),
      blockSize: Type.Integer({ minimum: 1, maximum: 32 }),
      salt: Type.String(),
    }),
  ]),
  /** The signed newest entry of the audit trail, and the public keys to verify it with. */
  audit: Type.Object({ head: Type.Unknown(), publicKeys: Type.String() }),
});
export type Header = Static<typeof Header>;

export const TableStart = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) });
export const TableEnd = Type.Object({ endOf: Type.String(), rows: Type.Integer(), sha256: Type.String() });
export const LastLine = Type.Object({ complete: Type.Literal(true), tables: Type.Integer() });

/** Counts and hashes the rows of a table, without their secrets, which are sealed differently each time. */
export function createTally(): { add(line: string): void; end(): { rows: number; sha256: string } } {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add: (line) => {
      hash.update(line).update('\n');
      rows += 1;
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  };
}
