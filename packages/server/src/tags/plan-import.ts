import {
  largestUint,
  type RaiseAlarm,
  type TagColumn,
  type TagImportResult,
  tagColumns,
  type WrongLine,
  type WrongLineCode,
} from '@tocsin/contract';
import { definitionDigest } from '../alarms/decide/definition-change.ts';
import { cellsOf, type TagLine, wrongLine } from './tag-file.ts';
import type { ListedTag, NamedRow, NamedRows } from './tag-list.store.ts';
import { withScenario } from './tag-list.wire.ts';

/** A post that brings a tag to the state of its line. */
export type PlannedPost = { line: number; path: string; body: RaiseAlarm; seenDigest?: string };

export type ImportPlan = {
  posts: PlannedPost[];
  result: Omit<TagImportResult, 'dryRun' | 'lines'>;
};

/** What an import is compared with. */
export type KnownPlant = {
  tags: readonly ListedTag[];
  /** The rows that the caller may name. */
  names: NamedRows;
  firstDataServerId: number;
  /** Stations that the caller may change; undefined means all. */
  stationIds: readonly number[] | undefined;
};

/** As the body of a post. */
const maxPathLength = 1_024;
const maxTextLength = 65_536;

/** A fault of a cell. It ends the reading of its line, and is listed in the answer. */
class CellFault extends Error {
  readonly fault: { code: WrongLineCode; value: string; column?: TagColumn };
  constructor(code: WrongLineCode, value: string, column?: TagColumn) {
    super(code);
    this.fault = { code, value, ...(column !== undefined && { column }) };
  }
}

type Place = { dataServerId: number; path: string };
const keyOf = ({ dataServerId, path }: Place) => `${dataServerId} ${path}`;

/** Compares the lines with the tags. Pure, so a dry run and an import decide the same. */
export function planImport(lines: readonly TagLine[], plant: KnownPlant): ImportPlan {
  const known = new Map(plant.tags.map((tag) => [keyOf(tag.record.definition), tag]));
  const seen = new Map<string, number>();
  const result: ImportPlan['result'] = { added: [], changed: [], unchanged: 0, missing: 0, wrong: [] };
  const posts: PlannedPost[] = [];
  for (const line of lines) {
    const planned = planLine(line, { plant, known, seen });
    if ('wrong' in planned) result.wrong.push(planned.wrong);
    else if ('added' in planned) result.added.push(planned.added);
    else if ('changed' in planned) result.changed.push(planned.changed);
    else result.unchanged += 1;
    if ('post' in planned) posts.push(planned.post);
  }
  const isMissing = ({ record: { definition } }: ListedTag) =>
    plant.stationIds?.includes(definition.stationId) !== false && !seen.has(keyOf(definition));
  result.missing = plant.tags.filter(isMissing).length;
  return { posts, result };
}

type Planned =
  | { wrong: WrongLine }
  | { added: TagImportResult['added'][number]; post: PlannedPost }
  | { changed: TagImportResult['changed'][number]; post: PlannedPost }
  | { unchanged: true };

type Comparison = { plant: KnownPlant; known: ReadonlyMap<string, ListedTag>; seen: Map<string, number> };

function planLine({ line, cells }: TagLine, { plant, known, seen }: Comparison): Planned {
  const { path = '' } = cells;
  try {
    if (path === '') throw new CellFault('no-path', '');
    const dataServerId = dataServerOf(cells, plant);
    const key = keyOf({ dataServerId, path });
    const before = seen.get(key);
    if (before !== undefined) throw new CellFault('duplicate', String(before));
    seen.set(key, line);
    const tag = known.get(key);
    const place = cells.dataServer === undefined ? { path } : { path, dataServerId };
    const post = { line, path, body: { ...place, ...bodyOf(cells, plant, tag) } };
    return tag ? planChange(post, tag, { cells, plant }) : planAddition(post, cells);
  } catch (error) {
    if (error instanceof CellFault) return { wrong: wrongLine({ line, path }, error.fault) };
    throw error;
  }
}

function planAddition(post: PlannedPost, cells: TagLine['cells']): Planned {
  const { line, path } = post;
  const values = tagColumns
    .filter((column) => column !== 'path')
    .flatMap((column) => (cells[column] === undefined ? [] : [{ column, value: cells[column] }]));
  // A tag that was retired is one of the plant again.
  return { added: { line, path, values }, post: { ...post, body: { ...post.body, temporary: false } } };
}

function planChange(
  post: PlannedPost,
  tag: ListedTag,
  { cells, plant }: { cells: TagLine['cells']; plant: KnownPlant },
): Planned {
  const { tagId, definition, stationName } = tag.record;
  if (plant.stationIds?.includes(definition.stationId) === false)
    throw new CellFault('not-allowed', stationName);
  const before = cellsOf(tag, plant.names);
  const changes = tagColumns
    .filter((column) => column !== 'path' && column !== 'dataServer')
    .flatMap((column) => {
      const after = cells[column] === undefined ? undefined : normalized(column, cells[column], plant.names);
      return after === undefined || after === before[column]
        ? []
        : [{ column, before: before[column], after }];
    });
  if (changes.length === 0) return { unchanged: true };
  const { line, path } = post;
  const seenDigest = definitionDigest(definition);
  return { changed: { line, id: tagId, path, changes }, post: { ...post, seenDigest } };
}

/** The cell as an export would write it: `#3` and the name of station 3 are the same. */
function normalized(column: TagColumn, cell: string, names: NamedRows): string {
  const rows = rowsOf(column, names);
  if (!rows) return column === 'priority' || column === 'delay' ? String(Number(cell)) : cell;
  const id = /^#\d+$/.test(cell) ? Number(cell.slice(1)) : rows.find(({ name }) => name === cell)?.id;
  const row = rows.find((one) => one.id === id);
  return row && rows.filter(({ name }) => name === row.name).length === 1 ? row.name : `#${id}`;
}

/** The columns that name rows. */
const namingColumns: Partial<Record<TagColumn, keyof NamedRows>> = {
  station: 'stations',
  dataServer: 'dataServers',
  tagGroup: 'tagGroups',
  scenario: 'scenarios',
};

function rowsOf(column: TagColumn, names: NamedRows): readonly NamedRow[] | undefined {
  const table = namingColumns[column];
  return table && names[table];
}

/** The data server of a line; by default the first, as for a post. */
function dataServerOf(cells: TagLine['cells'], { names, firstDataServerId }: KnownPlant): number {
  return idOf('dataServer', cells, names) ?? firstDataServerId;
}

function bodyOf(cells: TagLine['cells'], { names }: KnownPlant, tag: ListedTag | undefined): RaiseAlarm {
  const scenarioId = idOf('scenario', cells, names);
  const members = {
    stationId: idOf('station', cells, names),
    tagGroupId: idOf('tagGroup', cells, names),
    priority: numberIn('priority', cells),
    alarmDelay: numberIn('delay', cells),
    alarmMessage: textIn('message', cells),
    resetMessage: textIn('resetMessage', cells),
    ackMessage: textIn('ackMessage', cells),
    alarmActions: scenarioId === undefined ? undefined : actionsWith(scenarioId, tag),
  };
  const { path = '' } = cells;
  requireLength('path', path, maxPathLength);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function actionsWith(scenarioId: number, tag: ListedTag | undefined) {
  return tag ? withScenario(tag.record.definition, scenarioId) : [{ type: 'Scenario', id: scenarioId }];
}

/** The id of the row that a cell names, by its name or as `#7`. */
function idOf(column: TagColumn, cells: TagLine['cells'], names: NamedRows): number | undefined {
  const cell = cells[column];
  if (cell === undefined) return undefined;
  const rows = rowsOf(column, names) ?? [];
  const byNumber = /^#\d+$/.test(cell) ? rows.filter(({ id }) => id === Number(cell.slice(1))) : [];
  const found = byNumber.length > 0 ? byNumber : rows.filter(({ name }) => name === cell);
  if (found.length > 1) throw new CellFault('ambiguous-name', cell, column);
  const [row] = found;
  if (!row) throw new CellFault('unknown-name', cell, column);
  return row.id;
}

function numberIn(column: TagColumn, cells: TagLine['cells']): number | undefined {
  const cell = cells[column];
  if (cell === undefined) return undefined;
  if (!/^\d{1,10}$/.test(cell) || Number(cell) > largestUint)
    throw new CellFault('not-a-number', cell, column);
  return Number(cell);
}

function textIn(column: TagColumn, cells: TagLine['cells']): string | undefined {
  const cell = cells[column];
  if (cell !== undefined) requireLength(column, cell, maxTextLength);
  return cell;
}

function requireLength(column: TagColumn, text: string, maxLength: number): void {
  if (text.length > maxLength) throw new CellFault('too-long', String(text.length), column);
}
