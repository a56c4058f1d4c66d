import { useWords } from '../../words/use-words.ts';

const ascending = { 'aria-sort': 'ascending' } as const;

type HeadProps = {
  readonly onSelectAll: () => void;
  readonly isAll: boolean;
  readonly isByArrival: boolean;
};

/** The heads of the columns; the first one ticks all rows. */
export function HeadRow({ onSelectAll, isAll, isByArrival }: HeadProps) {
  const { columns } = useWords().list;
  return (
    <div className="row head" role="row" aria-rowindex={1}>
      <span role="columnheader" className="c-sel">
        <button
          type="button"
          className="box"
          aria-label={columns.select}
          aria-pressed={isAll}
          onClick={onSelectAll}
        />
      </span>
      <span role="columnheader" className="c-p" {...(!isByArrival && ascending)}>
        {columns.priority}
      </span>
      <span role="columnheader" className="c-st">
        {columns.state}
      </span>
      <span role="columnheader" className="c-t num">
        {columns.for}
      </span>
      <span role="columnheader" className="c-at num" {...(isByArrival && ascending)}>
        {columns.raised}
      </span>
      <span role="columnheader" className="c-msg">
        {columns.message}
      </span>
      <span role="columnheader" className="c-val num">
        {columns.value}
      </span>
      <span role="columnheader" className="c-tag">
        {columns.tag}
      </span>
      <span role="columnheader" className="c-area">
        {columns.area}
      </span>
      <span role="columnheader" className="c-who">
        {columns.called}
      </span>
      <span role="columnheader" className="c-ttr">
        {columns.respond}
      </span>
    </div>
  );
}
