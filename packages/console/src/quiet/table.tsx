type Props = {
  /** The last columns are numbers or times from this index on. */
  readonly numbersFrom: number;
  readonly head: readonly string[];
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly string[] }[];
};

export function Table({ numbersFrom, head, rows }: Props) {
  const kind = (index: number) => (index >= numbersFrom ? { className: 'n' } : {});
  return (
    <table className="tbl">
      <thead>
        <tr>
          {head.map((text, index) => (
            <th key={text} scope="col" {...kind(index)}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [name, ...cells] }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {cells.map((text, index) => (
              <td key={head[index + 1]} {...kind(index + 1)}>
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
