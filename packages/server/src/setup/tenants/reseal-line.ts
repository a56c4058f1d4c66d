import type { SecretBox } from '../../common/secret-box.ts';
import { sealedIn } from './sealed-columns.ts';

export type Reseal = {
  readonly table: string;
  readonly tenantId: number;
  /** Opens the values; undefined to leave them out. */
  readonly from: SecretBox | undefined;
  /** Seals them again; undefined to leave them out. */
  readonly to: SecretBox | undefined;
  /** The number for which they are sealed, if it is another. */
  readonly newTenantId?: number;
};

type Row = Record<string, unknown>;

/** A row of an export whose secrets are sealed by another box, or left out. */
export function resealLine(
  { table, from, to, tenantId, newTenantId = tenantId }: Reseal,
  line: string,
): string {
  const sealed = sealedIn(table);
  if (sealed.length === 0) return line;
  const row = JSON.parse(line) as Row;
  for (const { column, placeOf, goesWith } of sealed) {
    const value = row[column];
    if (typeof value !== 'string') continue;
    row[column] = null;
    if (from === undefined || to === undefined) {
      if (goesWith !== undefined) row[goesWith] = null;
      continue;
    }
    const place = placeOf(tenantId, row);
    const text = from.open(Buffer.from(value.replace(/^\\x/, ''), 'hex'), place);
    if (text === undefined) throw new Error(`no key opens the secret of ${place}`);
    row[column] = `\\x${to.seal(text, placeOf(newTenantId, row)).toString('hex')}`;
  }
  return JSON.stringify(row);
}

/** A row without its secrets, for its hash. */
export function withoutSecrets(table: string, line: string): string {
  return resealLine({ table, from: undefined, to: undefined, tenantId: 0 }, line);
}
