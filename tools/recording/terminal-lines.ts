/** Output of a terminal, and the seconds after which it came. */
export type Output = { readonly seconds: number; readonly text: string };

/** A line of the terminal with its colours, and when it was complete. */
export type Line = { readonly seconds: number; readonly text: string };

const clearLine = '\r\u001B[2K';

/** The lines that stay on the screen. A line that was cleared and written again counts as its last form. */
export function terminalLines(outputs: readonly Output[]): Line[] {
  const lines: Line[] = [];
  let open = '';
  for (const { seconds, text } of outputs) {
    const parts = `${open}${text.replaceAll('\r\n', '\n')}`.split('\n');
    open = parts.pop() ?? '';
    for (const part of parts)
      lines.push({
        seconds,
        text: part.slice(part.lastIndexOf(clearLine) + 1).replace(clearLine.slice(1), ''),
      });
  }
  return open === '' ? lines : [...lines, { seconds: outputs.at(-1)?.seconds ?? 0, text: open }];
}

/** The recording in the format of asciinema, version 2. */
export function castText(
  outputs: readonly Output[],
  { columns, rows }: { columns: number; rows: number },
): string {
  const head = { version: 2, width: columns, height: rows, title: 'tocsin demo' };
  const events = outputs.map(({ seconds, text }) => [Number(seconds.toFixed(3)), 'o', text]);
  return `${[head, ...events].map((line) => JSON.stringify(line)).join('\n')}\n`;
}
