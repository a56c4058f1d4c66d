import { Value } from 'typebox/value';
import type { SecretBox } from '../../common/secret-box.ts';
import { CannotStart } from '../cannot-start.ts';
import { createTally, LastLine, TableEnd, TableStart } from './export-format.ts';
import { isWrittenByTriggers, leftOut } from './order-tables.ts';
import type { OwnerClient } from './owner-connection.store.ts';
import { parseLine } from './read-export-file.ts';
import { type Reseal, resealLine, withoutSecrets } from './reseal-line.ts';
import { readTenantTables, type TenantTable } from './tenant-catalog.store.ts';
import { deleteRows, insertRows } from './tenant-rows.store.ts';

export type ImportedInto = {
  readonly tenantId: number;
  readonly formerTenantId: number;
  /** Opens the secrets of the export; undefined to leave them out. */
  readonly secrets: SecretBox | undefined;
  /** Seals them with the key of this installation. */
  readonly box: SecretBox;
};

/** Rows that are inserted by one statement, and the most characters of them. */
const maxLines = 500;
const maxCharacters = 4_000_000;

const damaged = (what: string) =>
  new CannotStart([`The export is damaged: ${what}. Nothing was imported; copy or export it again.`]);

/** Inserts the rows of all tables and compares their hashes. Returns their number. */
export async function importRows(
  client: OwnerClient,
  lines: AsyncIterator<string>,
  into: ImportedInto,
): Promise<number> {
  const tables = new Map((await readTenantTables(client)).map((table) => [table.name, table]));
  const missing = new Set([...tables.keys()].filter((name) => !(name in leftOut)));
  let total = 0;
  for (;;) {
    const line = await nextLine(lines);
    const parsed = parseLine(line);
    if (Value.Check(LastLine, parsed)) break;
    if (!Value.Check(TableStart, parsed)) throw damaged('the name of a table was expected');
    const table = tables.get(parsed.table);
    if (!table || !missing.delete(parsed.table)) throw damaged(`there is no table ${parsed.table}`);
    if (parsed.columns.join() !== table.columns.join()) throw damaged(`${table.name} has other columns`);
    total += await importTable(client, lines, { ...into, table });
  }
  if (missing.size > 0) throw damaged(`it has no rows of ${[...missing].join(', ')}`);
  return total;
}

async function importTable(
  client: OwnerClient,
  lines: AsyncIterator<string>,
  { table, tenantId, formerTenantId, secrets, box }: ImportedInto & { table: TenantTable },
): Promise<number> {
  const { name, tenantColumn, refersTo } = table;
  if (isWrittenByTriggers(name))
    await deleteRows(client, { part: name, tenantColumn }, { tenantId, limit: null });
  // Rows that refer to each other are inserted by one statement, after which foreign keys are checked.
  const isOneBatch = refersTo.includes(name);
  const reseal: Reseal = {
    table: name,
    from: secrets,
    to: box,
    tenantId: formerTenantId,
    newTenantId: tenantId,
  };
  const tally = createTally();
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await insertRows(client, table, { tenantId, lines: batch });
    batch = [];
    characters = 0;
  };
  for (;;) {
    const line = await nextLine(lines);
    if (line.startsWith('{"endOf":')) {
      await flush();
      return checkEnd(name, parseLine(line), tally.end());
    }
    tally.add(withoutSecrets(name, line));
    batch.push(resealLine(reseal, line));
    characters += line.length;
    if (!isOneBatch && (batch.length === maxLines || characters > maxCharacters)) await flush();
  }
}

function checkEnd(name: string, end: unknown, { rows, sha256 }: { rows: number; sha256: string }): number {
  if (!Value.Check(TableEnd, end) || end.endOf !== name) throw damaged(`the end of ${name} was expected`);
  if (end.rows !== rows || end.sha256 !== sha256)
    throw damaged(`rows of ${name} are missing or were changed`);
  return rows;
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const next = await lines.next();
  if (next.done === true) throw damaged('its end is missing');
  return next.value;
}
