import { useQueryClient } from '@tanstack/react-query';
import type { TagImportResult } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { importRows, type RowFilter, rowFilters, wrongFile } from './import-rows.ts';
import { ImportTable } from './import-table.tsx';
import { saveFile } from './save-file.ts';
import { tagsKey } from './tag-queries.ts';

export type ChosenFile = { readonly name: string; readonly csv: string; readonly dry: TagImportResult };

type Props = { readonly file: ChosenFile; readonly onClose: () => void };

/** The dry run of a file: what would change, and which lines are left out. */
export function ImportView({ file, onClose }: Props) {
  const words = useWords().tags;
  const [filter, setFilter] = useState<RowFilter>('all');
  const { run, result, failure, isBusy } = useImport(file);
  const { added, changed, wrong } = result;
  const rows = importRows(result);
  const shown = rows.filter(({ kind }) => filter === 'all' || kind === filter);
  const count = (each: RowFilter) =>
    (each === 'all' ? rows : rows.filter(({ kind }) => kind === each)).length;
  const call = { method: 'POST', path: '/tags/import', body: { csv: `${file.csv.slice(0, 200)}…` } } as const;
  return (
    <section className="imp" aria-label={words.importTitle(file.name)}>
      <div className="taghead">
        <h1>{words.importTitle(file.name)}</h1>
        <p className="muted" role="status">
          {result.dryRun ? words.dryRun(result.lines) : words.imported(added.length, changed.length)}
        </p>
        {failure !== undefined && (
          <p className="wrong" role="alert">
            {words.failed(failure)}
          </p>
        )}
      </div>
      <Sums result={result} />
      <div className="filters">
        <span className="seg" role="group" aria-label={words.show}>
          {rowFilters.map((each) => (
            <button key={each} type="button" aria-pressed={each === filter} onClick={() => setFilter(each)}>
              {words.rowFilters[each]} {count(each)}
            </button>
          ))}
        </span>
      </div>
      <ImportTable rows={shown} />
      <div className="bulk">
        <ApiCallButton call={call} of={words.importTitle(file.name)} />
        <span className="fill" />
        {wrong.length > 0 && (
          <Button
            label={words.saveErrors}
            icon="download"
            onClick={() => saveFile('errors.csv', wrongFile(wrong))}
          />
        )}
        <Button label={result.dryRun ? words.cancelImport : words.backToTags} onClick={onClose} />
        {result.dryRun && (
          <Button
            label={words.importGo(added.length, changed.length)}
            kind="primary"
            disabled={isBusy || added.length + changed.length === 0}
            onClick={() => void run()}
          />
        )}
      </div>
    </section>
  );
}

function useImport({ csv, dry }: ChosenFile) {
  const { api } = useServices();
  const queries = useQueryClient();
  const [result, setResult] = useState(dry);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      setResult((await api.post<TagImportResult>('/tags/import', { csv })).data);
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setIsBusy(false);
      await queries.invalidateQueries({ queryKey: tagsKey });
    }
  };
  return { run, result, failure, isBusy };
}

function Sums({
  result: { added, changed, unchanged, missing, wrong },
}: {
  readonly result: TagImportResult;
}) {
  const words = useWords().tags.sums;
  const sums = [
    [added.length, words.added],
    [changed.length, words.changed],
    [unchanged, words.unchanged],
    [missing, words.missing],
    [wrong.length, words.wrong],
  ] as const;
  return (
    <div className="sums">
      {sums.map(([count, text], index) => (
        <div key={text} className={index === 4 && count > 0 ? 'sum stop' : 'sum'}>
          <b>{count}</b>
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
