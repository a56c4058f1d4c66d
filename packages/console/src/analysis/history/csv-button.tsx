import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import { type Filters, readAll } from '../analysis-queries.ts';
import { saveCsv } from '../csv.ts';
import type { Tab } from './history-search.ts';
import { lists } from './lists.tsx';

type Props = { readonly tab: Tab; readonly asked: Filters; readonly total: number | undefined };

/** More rows would keep the server and the desk busy for minutes. */
const mostRows = 50_000;

/** Saves the rows of all pages, with the filters that are chosen. */
export function CsvButton({ tab, asked, total = 0 }: Props) {
  const { api } = useServices();
  const words = useWords();
  const [state, setState] = useState<{ isReading?: boolean; fault?: string }>({});
  const list = lists[tab];
  const save = async () => {
    if (total > mostRows) return setState({ fault: words.analysis.csvTooMany(mostRows) });
    setState({ isReading: true });
    try {
      const items = await readAll<never>(api, list.path, asked);
      saveCsv(`${tab}-${String(asked['from']).slice(0, 10)}`, [list.names, ...items.map(list.file)]);
      setState({});
    } catch (error) {
      setState({ fault: words.actions.failed(words.analysis.reading, reasonOf(error)) });
    }
  };
  return (
    <>
      {state.fault !== undefined && <span role="alert">{state.fault}</span>}
      <Button
        label={words.histories.csv}
        icon="download"
        kind="sm"
        disabled={state.isReading === true || total === 0}
        onClick={() => void save()}
      />
    </>
  );
}
