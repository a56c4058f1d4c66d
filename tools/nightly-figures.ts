import { type Figure, goalText, reached, shown } from '../bench/harness/figure.ts';

/** The figures of a step, or the lines that its scenarios printed. */
export function figuresOf(output: string): string[] {
  const figures = benchmarkFigures(output);
  return figures ? figures.map(figureLine) : [...printedLines(output), ...countLines(output)];
}

/** The JSON of a benchmark has its own lines. */
function benchmarkFigures(output: string): Figure[] | undefined {
  const lines = output.split('\n');
  const [first, last] = [lines.indexOf('{'), lines.lastIndexOf('}')];
  if (first < 0 || last < first) return undefined;
  try {
    return (JSON.parse(lines.slice(first, last + 1).join('\n')) as { figures?: Figure[] }).figures;
  } catch {
    return undefined;
  }
}

function figureLine(figure: Figure): string {
  const value = `${shown(figure.value)} ${figure.unit}`.trim();
  if (figure.goal === undefined) return `${figure.name}: ${value}`;
  return `${figure.name}: ${value} (goal ${goalText(figure)}) ${reached(figure) ? 'reached' : 'MISSED'}`;
}

/** vitest puts `stdout | file > test` before what a test prints, and an empty line after it. */
function printedLines(output: string): string[] {
  const printed: string[] = [];
  let isInside = false;
  for (const line of output.split('\n')) {
    if (line.startsWith('stdout | ')) isInside = true;
    else if (line.trim() === '') isInside = false;
    else if (isInside) printed.push(line.trim());
  }
  return printed;
}

function countLines(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /^\s*Tests\s/.test(line))
    .map((line) => line.trim().replaceAll(/\s+/g, ' '));
}
