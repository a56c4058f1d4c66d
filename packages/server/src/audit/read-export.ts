import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { ChainedEntry } from './audit-entry.ts';
import type { AuditHead } from './audit-head.ts';
import { exportFormat } from './export-trail.ts';
import type { Trail } from './verify-trail.ts';

const exactly = { additionalProperties: false };
const Head = Type.Object(
  {
    tenantId: Type.Integer(),
    number: Type.Integer(),
    hash: Type.String(),
    at: Type.String(),
    keyId: Type.String(),
    signature: Type.String(),
  },
  exactly,
);
const FirstLine = Type.Object(
  { format: Type.Literal(exportFormat), tenantId: Type.Integer(), publicKey: Type.String() },
  exactly,
);
// Only the content of `entry` is hashed, so no other member is allowed.
const EntryLine = Type.Object(
  { number: Type.Integer(), hash: Type.String(), entry: Type.Object({ tenantId: Type.Integer() }) },
  exactly,
);
const LastLine = Type.Object({ head: Head }, exactly);

/** Reads the trail of an export; the fault names the first line that is not valid. */
export function readExport(text: string): Trail | { fault: string } {
  const lines = text.split('\n').filter((line) => line !== '');
  const first = parseLine(FirstLine, lines[0]);
  if (!first) return { fault: 'line 1 is not the beginning of an export' };
  const entries: ChainedEntry[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    const last = index === lines.length - 1 ? parseLine(LastLine, line) : undefined;
    if (last) return { tenantId: first.tenantId, entries, head: last.head };
    const entry = parseLine(EntryLine, line);
    if (!entry) return { fault: `line ${index + 1} is not an entry of an export` };
    entries.push(entry as unknown as ChainedEntry);
  }
  return { tenantId: first.tenantId, entries, head: undefined };
}

/** Reads the heads from a file or log, and skips all other text. */
export function readHeads(text: string): AuditHead[] {
  return text.split('\n').flatMap((line) => {
    const start = line.indexOf('{');
    const found = start === -1 ? undefined : parseJson(line.slice(start));
    const head = isObject(found) && 'auditHead' in found ? found['auditHead'] : found;
    return Check(Head, head) ? [head] : [];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parseLine<Schema extends TSchema>(
  schema: Schema,
  line: string | undefined,
): Static<Schema> | undefined {
  const value = line === undefined ? undefined : parseJson(line);
  return Check(schema, value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
