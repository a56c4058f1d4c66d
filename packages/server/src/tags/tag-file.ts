import { type TagColumn, tagColumns, type WrongLine, type WrongLineCode } from '@tocsin/contract';
import { invalid } from '../common/problem.ts';
import { type CsvRecord, readCsv, withFormula, writeCsv } from './csv.ts';
import type { ListedTag, NamedRow, NamedRows } from './tag-list.store.ts';
import { scenarioOf } from './tag-list.wire.ts';

/** A line of a tag file: the cells that are not empty, by their columns. */
export type TagLine = { readonly line: number; readonly cells: Partial<Record<TagColumn, string>> };

/** More lines are another kind of task. */
const maxLines = 20_000;

/** Reads a tag file. Throws a problem if its header or its quotes are wrong: then no line can be trusted. */
export function readTagFile(csv: string): { lines: TagLine[]; wrong: WrongLine[] } {
  const records = readCsv(csv);
  if (!records) throw invalid('/csv', 'has a quoted cell that does not end');
  const [header, ...body] = records;
  if (!header) throw invalid('/csv', 'is empty');
  if (body.length > maxLines) throw invalid('/csv', `has more than ${maxLines} lines`);
  const columns = columnsOf(header);
  const lines = body.map((record) => lineOf(record, columns));
  return {
    lines: lines.filter((_, index) => (body[index]?.cells.length ?? 0) <= columns.length),
    wrong: body
      .filter(({ cells }) => cells.length > columns.length)
      .map(({ line, cells }) =>
        wrongLine({ line, path: '' }, { code: 'too-many-cells', value: String(cells.length) }),
      ),
  };
}

function columnsOf({ cells }: CsvRecord): TagColumn[] {
  const columns = cells.map((cell) => {
    const column = tagColumns.find((name) => name.toLowerCase() === cell.trim().toLowerCase());
    if (!column) throw invalid('/csv', `has an unknown column ${cell}; known are ${tagColumns.join(', ')}`);
    return column;
  });
  if (new Set(columns).size < columns.length) throw invalid('/csv', 'has a column twice');
  if (!columns.includes('path')) throw invalid('/csv', 'has no column path');
  return columns;
}

function lineOf({ line, cells }: CsvRecord, columns: readonly TagColumn[]): TagLine {
  const given = columns.flatMap((column, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[column, withFormula(cell)] as const];
  });
  return { line, cells: Object.fromEntries(given) };
}

const reasons: Record<WrongLineCode, (value: string) => string> = {
  'no-path': () => 'has no path',
  'too-many-cells': (value) => `has ${value} cells, more than the header`,
  duplicate: (value) => `names the tag of line ${value} again`,
  'unknown-name': (value) => `${value} does not exist`,
  'ambiguous-name': (value) => `${value} is the name of several: write # and the number`,
  'not-a-number': (value) => `${value} is not a whole number`,
  'too-long': (value) => `has ${value} characters, which is too long`,
  'not-allowed': (value) => `belongs to ${value}, which you may not change`,
  refused: (value) => value,
};

export function wrongLine(
  { line, path }: { line: number; path: string },
  { code, value, column }: { code: WrongLineCode; value: string; column?: TagColumn },
): WrongLine {
  const said = reasons[code](value);
  const reason = column === undefined ? said : `${column}: ${said}`;
  return { line, path, code, value, reason, ...(column !== undefined && { column }) };
}

/** The name of a row as a file has it: `#7` if others have the same name, or if the name looks like that. */
function nameIn(rows: readonly NamedRow[], id: number): string {
  const row = rows.find((one) => one.id === id);
  if (!row) return id === 0 ? '' : `#${id}`;
  const isPlain = row.name !== '' && !row.name.startsWith('#') && row.name.trim() === row.name;
  return isPlain && rows.filter(({ name }) => name === row.name).length === 1 ? row.name : `#${id}`;
}

/** The columns of a tag, as a file has them. */
export function cellsOf({ record: { definition } }: ListedTag, names: NamedRows): Record<TagColumn, string> {
  return {
    dataServer: nameIn(names.dataServers, definition.dataServerId),
    path: definition.path,
    station: nameIn(names.stations, definition.stationId),
    tagGroup: nameIn(names.tagGroups, definition.tagGroupId ?? 0),
    priority: String(definition.priority),
    delay: String(definition.alarmDelay),
    scenario: nameIn(names.scenarios, scenarioOf(definition)),
    message: definition.alarm.message,
    resetMessage: definition.reset.message,
    ackMessage: definition.ack.message,
  };
}

export function writeTagFile(tags: readonly ListedTag[], names: NamedRows, separator: string): string {
  const rows = tags.map((tag) => {
    const cells = cellsOf(tag, names);
    return tagColumns.map((column) => cells[column]);
  });
  return writeCsv([tagColumns, ...rows], separator);
}
