/**
 * Rows as parameters of one statement: an array for each column, in PostgreSQL's own binary form. Neither side has to
 * quote or read names and texts, as both would with rows in JSON.
 */

type Cell = { bigint: number; integer: number; text: string; boolean: boolean; timestamptz: Date };
type CellType = keyof Cell;

type ColumnOf<Row, Type extends CellType> = {
  name: string;
  type: Type;
  /** What the value becomes in the statement; `jsonb` and arrays travel as text. */
  as?: 'jsonb' | 'json' | 'bigint[]';
  of: (row: Row) => Cell[Type] | null;
};

export type Column<Row> = { [Type in CellType]: ColumnOf<Row, Type> }[CellType];

export type RowSource<Row> = {
  /** The columns' names, for the list behind `insert into`. */
  readonly names: string;
  /** The columns' values, to be selected from `source`. */
  readonly values: string;
  readonly source: string;
  parameters(rows: readonly Row[]): Buffer[];
};

/** `firstParameter` is the number of the first `$n` that is free. */
export function rowSource<Row>(columns: readonly Column<Row>[], firstParameter: number): RowSource<Row> {
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, index) => `$${firstParameter + index}::${type}[]`).join(', ');
  return {
    names,
    values: columns.map(({ name, as }) => (as === undefined ? `r.${name}` : `r.${name}::${as}`)).join(', '),
    source: `unnest(${arrays}) as r(${names})`,
    parameters: (rows) => columns.map((column) => encodeColumn(column, rows)),
  };
}

function encodeColumn<Row>(column: Column<Row>, rows: readonly Row[]): Buffer {
  switch (column.type) {
    case 'text':
      return encodeTexts(rows.map(column.of));
    case 'boolean':
      return encodeFixed(rows.map(column.of), { oid: 16, size: 1, write: writeBoolean });
    case 'integer':
      return encodeFixed(rows.map(column.of), { oid: 23, size: 4, write: writeInteger });
    case 'bigint':
      return encodeFixed(rows.map(column.of), { oid: 20, size: 8, write: writeBigint });
    case 'timestamptz':
      return encodeFixed(rows.map(column.of), { oid: 1184, size: 8, write: writeInstant });
  }
}

const headSize = 20;

/** One dimension that counts from 1. */
function writeHead(buffer: Buffer, oid: number, length: number, hasNulls: boolean): void {
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
}

function encodeTexts(values: readonly (string | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const size = sizes.reduce((sum, one) => sum + one, headSize + 4 * values.length);
  const buffer = Buffer.allocUnsafe(size);
  writeHead(buffer, 25, values.length, values.includes(null));
  let at = headSize;
  values.forEach((value, index) => {
    const length = sizes[index] ?? 0;
    at = buffer.writeInt32BE(value === null ? -1 : length, at);
    if (value !== null && length > 0) at += buffer.write(value, at);
  });
  return buffer;
}

type Fixed<Value> = {
  oid: number;
  size: number;
  write: (buffer: Buffer, value: Value, at: number) => void;
};

function encodeFixed<Value>(values: readonly (Value | null)[], { oid, size, write }: Fixed<Value>): Buffer {
  const nulls = values.reduce((count: number, value) => (value === null ? count + 1 : count), 0);
  const buffer = Buffer.allocUnsafe(headSize + 4 * values.length + size * (values.length - nulls));
  writeHead(buffer, oid, values.length, nulls > 0);
  let at = headSize;
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? -1 : size, at);
    if (value === null) continue;
    write(buffer, value, at);
    at += size;
  }
  return buffer;
}

function writeBoolean(buffer: Buffer, value: boolean, at: number): void {
  buffer[at] = value ? 1 : 0;
}

function writeInteger(buffer: Buffer, value: number, at: number): void {
  buffer.writeInt32BE(value, at);
}

/** Numbers here stay below 2^53. */
function writeBigint(buffer: Buffer, value: number, at: number): void {
  const high = Math.floor(value / 4_294_967_296);
  buffer.writeInt32BE(high, at);
  buffer.writeUInt32BE(value - high * 4_294_967_296, at + 4);
}

/** Microseconds since the beginning of 2000, which in 2285 are more than a number can hold. */
function writeInstant(buffer: Buffer, value: Date, at: number): void {
  const milliseconds = value.getTime() - 946_684_800_000;
  const microseconds = milliseconds * 1_000;
  if (Number.isSafeInteger(microseconds)) writeBigint(buffer, microseconds, at);
  else buffer.writeBigInt64BE(BigInt(milliseconds) * 1_000n, at);
}
