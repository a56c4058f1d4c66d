import type { TagColumn, TagImportResult, WrongLine } from '@tocsin/contract';

/** A line of the comparison: one changed field, one new tag, or one line that is left out. */
export type ImportRow = { readonly key: string; readonly line: number; readonly path: string } & (
  | { readonly kind: 'wrong'; readonly wrong: WrongLine }
  | { readonly kind: 'changed'; readonly column: TagColumn; readonly before: string; readonly after: string }
  | { readonly kind: 'added'; readonly values: string }
);

export const rowFilters = ['all', 'added', 'changed', 'wrong'] as const;
export type RowFilter = (typeof rowFilters)[number];

/** The lines of a dry run, the errors first. */
export function importRows({ added, changed, wrong }: TagImportResult): readonly ImportRow[] {
  return [
    ...wrong.map((each) => ({
      kind: 'wrong' as const,
      key: `x${each.line}`,
      line: each.line,
      path: each.path,
      wrong: each,
    })),
    ...changed.flatMap(({ line, path, changes }) =>
      changes.map((change) => ({
        kind: 'changed' as const,
        key: `${line} ${change.column}`,
        line,
        path,
        ...change,
      })),
    ),
    ...added.map(({ line, path, values }) => ({
      kind: 'added' as const,
      key: `+${line}`,
      line,
      path,
      values: values.map(({ value }) => value).join(', '),
    })),
  ];
}

/** The lines that are left out, as a file for the person who wrote them. */
export function wrongFile(wrong: readonly WrongLine[]): string {
  const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const lines = wrong.map(({ line, path, reason }) => [String(line), cell(path), cell(reason)].join(','));
  return `\uFEFFline,path,reason\r\n${lines.map((each) => `${each}\r\n`).join('')}`;
}
