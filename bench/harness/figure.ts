/** One measured number, with what it must reach. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  goal?: { atLeast: number } | { atMost: number };
  /** How it came about: the runs it is the best of, or the two numbers it is the ratio of. */
  note?: string;
};

export function reached({ value, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function unjudged({ name, value, unit, note }: Figure): Figure {
  return { name, value, unit, ...(note !== undefined && { note }) };
}

/** The figures as a table that fits a terminal. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${shown(figure.value)} ${figure.unit}`.trim(),
    goalText(figure),
    figure.goal === undefined ? '' : reached(figure) ? 'reached' : 'MISSED',
    figure.note ?? '',
  ]);
  const all = [['figure', 'value', 'goal', '', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function goalText({ goal, unit }: Figure): string {
  if (goal === undefined) return '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}`.trim() : `≤ ${goal.atMost} ${unit}`.trim();
}

export function shown(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : 2);
}
