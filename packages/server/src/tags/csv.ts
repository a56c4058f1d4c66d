/** A record of a CSV file, with the number of the line that it begins on. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] };

export const csvSigns = { comma: ',', semicolon: ';' } as const;

/** The sign between the cells: the one that occurs more often in the header outside quotes. */
function separatorOf(text: string): string {
  const header = text.slice(0, endOfLine(text)).replaceAll(/"[^"]*"/g, '');
  const count = (sign: string) => header.split(sign).length;
  return count(';') > count(',') ? ';' : ',';
}

function endOfLine(text: string): number {
  const end = text.search(/[\r\n]/);
  return end === -1 ? text.length : end;
}

/** A cell in quotes, with doubled quotes inside, or a cell without quotes; then what ends it. A lone quote is a sign. */
const cellPattern = (separator: string) =>
  new RegExp(`(?:"([^"]*(?:""[^"]*)*)"[ \\t]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, 'y');

/** A cell, the number of line breaks up to its end, and whether it is the last one of its record. */
type Cell = { text: string; lineBreaks: number; endsRecord: boolean };

/** The cell at the place where the pattern stands; undefined if a quoted one does not end where it must. */
function nextCell(pattern: RegExp, text: string): Cell | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [whole, quoted, plain = '', end = ''] = found;
  if (quoted === undefined && plain.startsWith('"')) return undefined;
  return {
    text: quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
    lineBreaks: whole.match(/\r\n|\r|\n/g)?.length ?? 0,
    endsRecord: end !== ',' && end !== ';',
  };
}

/**
 * Reads the records of a file as RFC 4180 describes it, with or without a byte order mark. Lines without any text are left
 * out. Undefined if a quoted cell does not end where it must.
 */
export function readCsv(file: string): CsvRecord[] | undefined {
  const text = file.replace(/^\uFEFF/, '');
  const pattern = cellPattern(separatorOf(text));
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const cell = nextCell(pattern, text);
    if (!cell) return undefined;
    cells.push(cell.text);
    line += cell.lineBreaks;
    if (!cell.endsRecord) continue;
    if (cells.some((one) => one !== '')) records.push({ line: begin, cells });
    cells = [];
    begin = line;
  }
  return records;
}

/** Spreadsheets run cells that begin like this as formulas. */
const formula = /^'*[=+\-@\t\r]/;

/** The file for spreadsheets: with a byte order mark, so that they read it as UTF-8, and without formulas. */
export function writeCsv(rows: readonly (readonly string[])[], separator: string): string {
  const lines = rows.map((cells) => cells.map((cell) => quoteCell(withoutFormula(cell), separator)));
  return `\uFEFF${lines.map((cells) => `${cells.join(separator)}\r\n`).join('')}`;
}

function quoteCell(cell: string, separator: string): string {
  const needsQuotes = cell.includes(separator) || /["\r\n;,]|^\s|\s$/.test(cell);
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** An apostrophe in front makes a spreadsheet show the cell as text. */
function withoutFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before `writeCsv` put an apostrophe in front. */
export function withFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
