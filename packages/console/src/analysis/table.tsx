import type { ReactNode } from 'react';

export type Column = { readonly label: string; readonly isNumber?: boolean };

type Props = {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ReactNode[] }[];
  readonly kind?: string;
};

/** A table whose first cell names the row. */
export function Table({ label, columns, rows, kind = '' }: Props) {
  const classOf = (index: number) => (columns[index]?.isNumber ? 'n' : undefined);
  return (
    <table className={`tbl ${kind}`.trim()} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column.label} scope="col" className={classOf(index)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [name, ...rest] }) => (
          <tr key={key}>
            <th scope="row" data-label={columns[0]?.label}>
              {name}
            </th>
            {rest.map((cell, index) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their column
                key={index}
                className={classOf(index + 1)}
                data-label={columns[index + 1]?.label}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
