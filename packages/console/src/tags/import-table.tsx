import type { WrongLine } from '@tocsin/contract';
import { useWords, type Words } from '../words/use-words.ts';
import type { ImportRow } from './import-rows.ts';

/** More lines are too many to read; the file of errors and the filter show the others. */
const mostRows = 500;

export function ImportTable({ rows }: { readonly rows: readonly ImportRow[] }) {
  const words = useWords().tags;
  return (
    <div className="hist" role="region" aria-label={words.comparison} tabIndex={0}>
      <table className="tbl rows edge diff">
        <thead>
          <tr>
            <th>{words.line}</th>
            <th>{words.tag}</th>
            <th>{words.field}</th>
            <th>{words.today}</th>
            <th>{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && <p className="muted more">{words.moreRows(rows.length - mostRows)}</p>}
    </div>
  );
}

const signs = { wrong: '×', changed: '~', added: '+' } as const;

function Row({ row }: { readonly row: ImportRow }) {
  const words = useWords();
  return (
    <tr data-kind={row.kind}>
      <td>
        <span
          className={row.kind === 'wrong' ? 'sign x' : 'sign'}
          role="img"
          aria-label={words.tags.kinds[row.kind]}
        >
          {signs[row.kind]}
        </span>{' '}
        {row.line}
      </td>
      <th scope="row" className="tag">
        {row.path}
      </th>
      <Cells row={row} />
    </tr>
  );
}

function Cells({ row }: { readonly row: ImportRow }) {
  const words = useWords();
  switch (row.kind) {
    case 'wrong':
      return <td colSpan={3}>{tellWrong(row.wrong, words)}</td>;
    case 'added':
      return (
        <>
          <td className="muted">{words.tags.isNew}</td>
          <td />
          <td>
            <span className="newv">{row.values}</span>
          </td>
        </>
      );
    case 'changed':
      return (
        <>
          <td className="muted">{words.tags.columns[row.column]}</td>
          <td>
            <span className="old">{row.before === '' ? words.tags.empty : row.before}</span>
          </td>
          <td>
            <span className="newv">{row.after}</span>
          </td>
        </>
      );
  }
}

/** Why a line is left out. What the server refused by itself is told in its words. */
function tellWrong({ code, column, value, reason }: WrongLine, words: Words): string {
  const said = code === 'refused' ? reason : words.tags.wrong[code](value);
  return column === undefined ? said : `${words.tags.columns[column]}: ${said}`;
}
