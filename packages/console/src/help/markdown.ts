/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'bold' | 'italic'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** The anchor of a heading, as other documents name it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** A cell of a table: code, in which a bar is part of the text, and anything but bars. */
const cell = /(?:`[^`]*`|\\\||[^|`])+/g;

/** The cells of a line of a table. A bar after a backslash or inside code is part of the text. */
const cellsOf = (line: string): readonly string[] =>
  (line.trim().replace(/^\|/, '').replace(/\|$/, '').match(cell) ?? []).map((each) =>
    each.trim().replaceAll('\\|', '|'),
  );

const fence = /^\s*```/;
const item = /^\s*(?:[-*]|\d+\.)\s+/;
const isTable = (line: string) => line.trimStart().startsWith('|');
const isBegin = (line: string) =>
  line.trim() === '' || /^#{1,6} /.test(line) || fence.test(line) || item.test(line) || isTable(line);

/** How many of the lines from `start` on belong together. */
function countWhile(lines: readonly string[], start: number, belongs: (line: string) => boolean): number {
  let end = start;
  while (end < lines.length && belongs(lines[end] ?? '')) end++;
  return end - start;
}

function readList(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines)
    if (item.test(line)) items.push(line.replace(item, ''));
    else items[items.length - 1] += ` ${line.trim()}`;
  return { kind: 'list', isOrdered: /^\s*\d/.test(lines[0] ?? ''), items };
}

function readTable(lines: readonly string[]): Block {
  const [head = [], , ...rows] = lines.map(cellsOf);
  return { kind: 'table', head, rows };
}

/** One block, and the number of lines that it takes. */
function readBlock(lines: readonly string[], at: number): readonly [Block | undefined, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '' || line.startsWith('<!--')) return [undefined, 1];
  if (fence.test(line)) {
    const count = countWhile(lines, at + 1, (each) => !fence.test(each));
    return [{ kind: 'code', text: lines.slice(at + 1, at + 1 + count).join('\n') }, count + 2];
  }
  const heading = /^(#{1,6}) (.*)$/.exec(line);
  if (heading) {
    const [, marks = '#', text = ''] = heading;
    return [{ kind: 'heading', level: marks.length, text, id: anchorOf(text) }, 1];
  }
  if (isTable(line)) {
    const count = countWhile(lines, at, isTable);
    return [readTable(lines.slice(at, at + count)), count];
  }
  if (item.test(line)) {
    const count = countWhile(lines, at, (each) => item.test(each) || /^\s+\S/.test(each));
    return [readList(lines.slice(at, at + count)), count];
  }
  const count = Math.max(
    1,
    countWhile(lines, at, (each) => !isBegin(each)),
  );
  return [{ kind: 'paragraph', text: lines.slice(at, at + count).join(' ') }, count];
}

/** The blocks of a document, as far as the documents of the project use Markdown. */
export function readMarkdown(source: string): readonly Block[] {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, count] = readBlock(lines, at);
    if (block) blocks.push(block);
    at += count;
  }
  return blocks;
}

const pieces = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\(([^)]+)\)/g;

/** The pieces of a line: code, bold, links and the text between them. */
export function readInline(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let last = 0;
  for (const match of text.matchAll(pieces)) {
    const [all, code, bold, italic, label = '', to] = match;
    if (match.index > last) found.push({ kind: 'text', text: text.slice(last, match.index) });
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (bold !== undefined) found.push({ kind: 'bold', text: bold });
    else if (italic !== undefined) found.push({ kind: 'italic', text: italic });
    else if (to !== undefined && !all.startsWith('!')) found.push({ kind: 'link', text: label, to });
    last = match.index + all.length;
  }
  if (last < text.length) found.push({ kind: 'text', text: text.slice(last) });
  return found;
}
