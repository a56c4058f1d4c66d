import type { ChangedTags } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { GuidanceEditor } from '../guidance/guidance-editor.tsx';
import { useMay } from '../services/use-may.ts';
import { useWords } from '../words/use-words.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { FileButtons } from './file-buttons.tsx';
import { type ChosenFile, ImportView } from './import-view.tsx';
import { NewTagButton } from './new-tag.tsx';
import { TagFilters } from './tag-filters.tsx';
import {
  noFilter,
  pageSize,
  type TagFilter,
  tagsCall,
  useScenarios,
  useTagGroups,
  useTags,
} from './tag-queries.ts';
import { TagTable } from './tag-table.tsx';
import { nameOf, treeOf } from './tag-tree.ts';
import { TreeNav } from './tree-nav.tsx';
import { useSelection } from './use-selection.ts';

/** The definitions of all alarms: find them, change many at once, exchange them with a spreadsheet. */
export function TagsPage() {
  const groups = useTagGroups();
  const [filter, setFilter] = useState<TagFilter>(noFilter);
  const [file, setFile] = useState<ChosenFile>();
  const group = groups.find(({ id }) => id === filter.tagGroupId);
  return (
    <main className="tagpage">
      <TreeNav
        nodes={treeOf(groups)}
        chosenId={filter.tagGroupId}
        onChoose={(tagGroupId) => setFilter((before) => ({ ...before, tagGroupId }))}
      />
      {file ? (
        <ImportView file={file} onClose={() => setFile(undefined)} />
      ) : (
        <Tags
          key={JSON.stringify(filter.tagGroupId)}
          title={group && nameOf(group)}
          filter={filter}
          onFilter={setFilter}
          onFile={setFile}
        />
      )}
    </main>
  );
}

type TagsProps = {
  readonly title: string | undefined;
  readonly filter: TagFilter;
  readonly onFilter: (filter: TagFilter) => void;
  readonly onFile: (file: ChosenFile) => void;
};

function Tags({ title, filter, onFilter, onFile }: TagsProps) {
  const words = useWords().tags;
  const mayDefine = useMay().has('alarms:define');
  const [offset, setOffset] = useState(0);
  const page = useTags(filter, offset);
  const scenarios = useScenarios();
  const tags = page?.items ?? [];
  const total = page?.paging.total ?? 0;
  const selection = useSelection(tags);
  const [guided, setGuided] = useState<number>();
  const change = (part: Partial<TagFilter>) => {
    setOffset(0);
    onFilter({ ...filter, ...part });
  };
  return (
    <section className="tagcol">
      <div className="taghead">
        <header className="whead">
          <div>
            <h1>{title ?? words.title}</h1>
            <p className="muted">{words.lead}</p>
          </div>
          <span className="fill" />
          <ApiCallButton call={tagsCall(filter, offset)} of={words.title} />
          <NewTagButton mayDefine={mayDefine} tagGroupId={filter.tagGroupId} />
          <FileButtons filter={filter} mayImport={mayDefine} onFile={onFile} />
        </header>
      </div>
      <TagFilters filter={filter} shown={tags.length} total={total} onChange={change} />
      {page && total === 0 ? (
        <p className="nothing">{words.none}</p>
      ) : (
        <TagTable
          tags={tags}
          selected={selection.ids}
          scenarios={new Map(scenarios.map(({ id, name }) => [id, name]))}
          onSelect={selection.select}
          onGuidance={setGuided}
        />
      )}
      <BulkBar selection={selection} mayDefine={mayDefine}>
        <Pages offset={offset} total={total} onChange={setOffset} />
      </BulkBar>
      {guided !== undefined && <GuidanceEditor alarmId={guided} onClose={() => setGuided(undefined)} />}
    </section>
  );
}

type BarProps = {
  readonly selection: ReturnType<typeof useSelection>;
  readonly mayDefine: boolean;
  readonly children: React.ReactNode;
};

function BulkBar({ selection, mayDefine, children }: BarProps) {
  const words = useWords().tags;
  const [isChanging, setIsChanging] = useState(false);
  const [result, setResult] = useState<ChangedTags>();
  const count = selection.tags.length;
  const done = (changed: ChangedTags) => {
    setResult(changed);
    setIsChanging(false);
    selection.clear();
  };
  return (
    <div className="bulk" role="toolbar" aria-label={words.bulk}>
      <b role="status">
        {count > 0
          ? words.selected(count)
          : result
            ? words.changed(result.changed, result.unchanged)
            : words.selectHint}
      </b>
      {!mayDefine && <span className="muted fs12">{words.refused}</span>}
      <span className="fill" />
      {children}
      {count > 0 && <Button label={words.clear} kind="ghost" onClick={selection.clear} />}
      <Button
        label={words.change}
        kind="primary"
        disabled={count === 0 || !mayDefine}
        onClick={() => setIsChanging(true)}
      />
      {isChanging && (
        <ChangeDialog tags={selection.tags} onDone={done} onClose={() => setIsChanging(false)} />
      )}
    </div>
  );
}

type PagesProps = {
  readonly offset: number;
  readonly total: number;
  readonly onChange: (offset: number) => void;
};

function Pages({ offset, total, onChange }: PagesProps) {
  const words = useWords().tags;
  if (total <= pageSize) return null;
  const last = Math.min(offset + pageSize, total);
  return (
    <>
      <span className="muted fs12">{words.pageOf(offset + 1, last, total)}</span>
      <Button
        label={words.previous}
        icon="chevron-left"
        kind="ghost"
        disabled={offset === 0}
        onClick={() => onChange(Math.max(0, offset - pageSize))}
      />
      <Button
        label={words.next}
        icon="chevron-right"
        kind="ghost"
        disabled={last >= total}
        onClick={() => onChange(offset + pageSize)}
      />
    </>
  );
}
