import type { TagImportResult } from '@tocsin/contract';
import { useRef, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import type { ChosenFile } from './import-view.tsx';
import { saveFile } from './save-file.ts';
import { filterQuery, type TagFilter } from './tag-queries.ts';

type Props = {
  readonly filter: TagFilter;
  readonly mayImport: boolean;
  readonly onFile: (file: ChosenFile) => void;
};

/** Reads tags from a file of a spreadsheet, and writes them into one. */
export function FileButtons({ filter, mayImport, onFile }: Props) {
  const words = useWords().tags;
  const { api } = useServices();
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string>();
  const attempt = async (work: () => Promise<void>) => {
    setFailure(undefined);
    await work().catch((error: unknown) => setFailure(reasonOf(error)));
  };
  const read = (file: File) =>
    attempt(async () => {
      const csv = await file.text();
      const { data } = await api.post<TagImportResult>('/tags/import?dryRun=true', { csv });
      onFile({ name: file.name, csv, dry: data });
    });
  // Spreadsheets of languages that write 1,5 separate cells by semicolons.
  const separator = (1.5).toLocaleString().includes(',') ? 'semicolon' : 'comma';
  const save = () =>
    attempt(async () => {
      const { data } = await api.get<string>('/tags/export', { ...filterQuery(filter), separator });
      saveFile('tags.csv', data);
    });
  return (
    <>
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {words.failed(failure)}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={words.file}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
          target.value = '';
        }}
      />
      <Button
        label={words.import}
        icon="upload"
        kind="sm ghost"
        disabled={!mayImport}
        onClick={() => input.current?.click()}
      />
      <Button label={words.export} icon="download" kind="sm ghost" onClick={() => void save()} />
    </>
  );
}
