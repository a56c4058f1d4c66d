import type { FeedEntry } from './feed-entry.ts';

/** What one server tells the others of a tenant: how far its journal has got and, if they fit, the entries. */
export type FeedNews = { node: string; end: number; entries: readonly FeedEntry[] };

/** Well below the largest message a NATS server takes unless it was told otherwise (1 MiB). */
const largestBytes = 262_144;

/**
 * Lines: who tells and how far it goes, then two lines for each entry. JSON has no line breaks in it, so the alarms need
 * not be escaped a second time.
 */
export function writeNews({ node, end, entries }: FeedNews): string {
  const head = `${node} ${end}`;
  const lines = entries.map(
    ({ seq, at, announce, stationId, kind, alarmJson }) =>
      `${seq} ${at} ${announce ? 1 : 0} ${stationId} ${kind}\n${alarmJson}`,
  );
  const text = [head, ...lines].join('\n');
  // Who gets no entries reads them from the journal.
  return text.length > largestBytes ? head : text;
}

/** Undefined for anything that is not news: others may speak on the same NATS. */
export function readNews(text: string): FeedNews | undefined {
  const [head = '', ...lines] = text.split('\n');
  const [, node, end] = /^([\w-]{1,64}) (\d{1,15})$/.exec(head) ?? [];
  if (node === undefined || lines.length % 2 !== 0) return undefined;
  const entries: FeedEntry[] = [];
  for (let index = 0; index < lines.length; index += 2) {
    const entry = readEntry(lines[index] ?? '', lines[index + 1] ?? '');
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return { node, end: Number(end), entries };
}

function readEntry(line: string, alarmJson: string): FeedEntry | undefined {
  const [, seq, at, announce, stationId, kind] = /^(\d+) (-?\d+) ([01]) (\d+) (\w+)$/.exec(line) ?? [];
  if (kind === undefined || !alarmJson.startsWith('{')) return undefined;
  return {
    seq: Number(seq),
    at: Number(at),
    kind,
    stationId: Number(stationId),
    announce: announce === '1',
    alarmJson,
  };
}
