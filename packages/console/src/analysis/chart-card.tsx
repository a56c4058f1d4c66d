import { type ReactNode, useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import type { ApiCall } from '../frame/curl.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';

type Props = {
  readonly title: string;
  readonly note?: string | undefined;
  /** Further classes of the style. */
  readonly kind: string;
  readonly call?: ApiCall | undefined;
  /** Controls of the heading. */
  readonly tools?: ReactNode;
  readonly chart: ReactNode;
  /** The same numbers as a table, for those who cannot read the chart. */
  readonly table: ReactNode;
};

/** A card with a chart that can be read as a table, too. */
export function ChartCard({ title, note = '', kind, call, tools, chart, table }: Props) {
  const words = useWords().analysis;
  const [isTable, setIsTable] = useState(false);
  return (
    <section className={`card ${kind}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note !== '' && <small>{note}</small>}
        <span className="fill" />
        {tools}
        <button
          type="button"
          className="apibtn noprint"
          aria-label={isTable ? words.showChart(title) : words.showTable(title)}
          onClick={() => setIsTable(!isTable)}
        >
          <Icon name={isTable ? 'chart-column' : 'list'} size={13} />
          <span aria-hidden="true">{isTable ? words.chart : words.table}</span>
        </button>
        {call && <ApiCallButton call={call} of={title} />}
      </header>
      {/* Tables, and charts on a phone, scroll by themselves: the keyboard must reach them. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by the keyboard */}
      <div className={isTable ? 'in astable' : 'in'} role="group" aria-label={title} tabIndex={0}>
        {isTable ? table : chart}
      </div>
    </section>
  );
}
