import { Link } from '@tanstack/react-router';
import type { SavedView } from '@tocsin/contract';
import { useState } from 'react';
import { FloodButton } from '../../flood/flood-button.tsx';
import { Button } from '../../frame/button.tsx';
import { useMeta } from '../../services/queries.ts';
import { useSavedViews } from '../../services/saved-views.ts';
import { useWords } from '../../words/use-words.ts';
import { useAlarms } from '../alarms-context.tsx';
import { type AlarmFilter, isSameFilter, matcherOf, parseFilter } from './filter.ts';
import { DeleteViewDialog, SaveViewDialog } from './view-dialogs.tsx';

type View = {
  readonly key: string;
  readonly name: string;
  readonly filter: AlarmFilter;
  /** Of those that somebody has saved. */
  readonly saved?: SavedView;
};

/** The views that each desk has, then those that people have saved. */
function useViews(): readonly View[] {
  const words = useWords().list;
  const saved = useSavedViews();
  return [
    { key: 'active', name: words.active, filter: {} },
    { key: 'unacknowledged', name: words.unacknowledged, filter: { state: 'waiting' } },
    { key: 'masked', name: words.masked, filter: { masked: 'only' } },
    ...saved.map((view) => ({
      key: String(view.id),
      name: view.name,
      filter: parseFilter(view.search),
      saved: view,
    })),
  ];
}

/** The views as tabs, each with the number of alarms in it. */
export function Views({ filter }: { readonly filter?: AlarmFilter }) {
  const words = useWords().list;
  const views = useViews();
  const { rows } = useAlarms();
  const current = views.find((view) => filter && isSameFilter(view.filter, filter));
  return (
    <nav className="views" aria-label={words.views}>
      <span className="viewtabs">
        {views.map((view) => (
          <Link
            key={view.key}
            className="view"
            to="/"
            search={{ ...view.filter }}
            {...(view === current && { 'aria-current': 'page' as const })}
            {...(view.saved?.shared && { title: words.sharedBy(view.saved.owner) })}
            activeProps={{}}
            activeOptions={{ exact: true }}
          >
            {view.name} <i>{rows.filter(matcherOf(view.filter)).length}</i>
          </Link>
        ))}
      </span>
      <Tools filter={filter} current={current} />
    </nav>
  );
}

type ToolsProps = { readonly filter: AlarmFilter | undefined; readonly current: View | undefined };

/** Saves a filter that is not yet a view; deletes a view that is the user's own. */
function Tools({ filter, current }: ToolsProps) {
  const words = useWords().list;
  const userId = useMeta()?.user.id;
  const [isSaving, setIsSaving] = useState(false);
  const [deleted, setDeleted] = useState<SavedView>();
  const own = current?.saved?.ownerId === userId ? current?.saved : undefined;
  return (
    <span className="tools">
      {own ? (
        <Button label={words.deleteViewGo} icon="trash-2" kind="sm ghost" onClick={() => setDeleted(own)} />
      ) : (
        <Button
          label={words.saveView}
          icon="bookmark-plus"
          kind="sm ghost"
          disabled={filter === undefined || current !== undefined}
          onClick={() => setIsSaving(true)}
        />
      )}
      <FloodButton />
      {isSaving && filter && <SaveViewDialog filter={filter} onClose={() => setIsSaving(false)} />}
      {deleted && <DeleteViewDialog view={deleted} onClose={() => setDeleted(undefined)} />}
    </span>
  );
}
