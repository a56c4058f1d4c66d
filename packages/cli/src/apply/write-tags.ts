import type { Api } from '@tocsin/client';
import {
  type ChangedTags,
  largestSelection,
  type TagChange,
  type TagColumn,
  type TagImportResult,
  type TagItem,
  tagColumns,
} from '@tocsin/contract';
import type { Names } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { Step } from './plan-apply.ts';

/** Lines of one request: small enough that the server answers it in time, also when it is busy. */
const maxLines = 1_000;
/** Bytes of one request, below the limit of the server. */
const maxBytes = 700_000;

/** A tag that the server has not taken, and why. */
export type RefusedTag = { readonly step: Step; readonly reason: string };

/** Writes tags with few requests. An empty cell of a tag file leaves a value as it is, so values are emptied before. */
export async function writeTags(api: Api, steps: readonly Step[], names: Names): Promise<RefusedTag[]> {
  for (const { change, selection } of clearings(steps))
    await api.post<ChangedTags>('/tags/changes', { tags: selection, change });
  const refused: RefusedTag[] = [];
  for (const batch of batches(steps.filter(hasCells), names)) {
    const csv = [tagColumns.join(','), ...batch.map(({ line }) => line)].join('\r\n');
    const { data } = await api.post<TagImportResult>('/tags/import', { csv });
    const stepAt = new Map<number, Step>();
    let next = 2;
    for (const { step, line } of batch) {
      stepAt.set(next, step);
      next += line.split(/\r\n|\r|\n/).length;
    }
    for (const { line, reason } of data.wrong) {
      const step = stepAt.get(line);
      if (step) refused.push({ step, reason });
    }
  }
  return refused;
}

const emptied: Readonly<Record<string, TagChange>> = {
  scenario: { scenarioId: 0 },
  message: { alarmMessage: '' },
  resetMessage: { resetMessage: '' },
  ackMessage: { ackMessage: '' },
};

type Clearing = { change: TagChange; selection: { id: number; version: string }[] };

/** The values to empty: one request for all tags that lose the same ones. */
function clearings(steps: readonly Step[]): Clearing[] {
  const groups = new Map<string, Clearing>();
  for (const { item, changes } of steps) {
    const parts = changes.flatMap(({ field, after }) => (after === '' && emptied[field]) || []);
    if (!item || parts.length === 0) continue;
    const change = Object.assign({}, ...parts) as TagChange;
    const key = JSON.stringify(change);
    const group = groups.get(key) ?? { change, selection: [] };
    const { id, version } = item as TagItem;
    group.selection.push({ id, version });
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ change, selection }) =>
    Array.from({ length: Math.ceil(selection.length / largestSelection) }, (_, index) => ({
      change,
      selection: selection.slice(index * largestSelection, (index + 1) * largestSelection),
    })),
  );
}

const hasCells = ({ item, changes }: Step) => item === undefined || changes.some(({ after }) => after !== '');

type Line = { readonly step: Step; readonly line: string };

function* batches(steps: readonly Step[], names: Names): Generator<Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  for (const step of steps) {
    const line = csvLine(step, names);
    const size = Buffer.byteLength(JSON.stringify(line));
    if (batch.length > 0 && (batch.length === maxLines || bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ step, line });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function csvLine({ entry }: Step, names: Names): string {
  const noSecret = () => '';
  const cells = kinds.tags.toBody(entry, { names, item: undefined, secret: noSecret }) as Record<
    TagColumn,
    string
  >;
  return tagColumns.map((column) => quoted(cells[column])).join(',');
}

/** The import removes an apostrophe before what a spreadsheet would run as a formula. */
function quoted(cell: string): string {
  const text = /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
