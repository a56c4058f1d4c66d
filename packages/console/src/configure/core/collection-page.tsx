import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { useMay } from '../../services/use-may.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { HelpLink } from '../help-link.tsx';
import type { SettingsSearch } from '../settings-search.ts';
import type { Collection, Item } from './collection.ts';
import { CollectionList } from './collection-list.tsx';
import { EditorPanel } from './editor-panel.tsx';
import { largestPage, listQuery, type Page, pageSize, useItems } from './item-queries.ts';

type Props = { readonly collection: Collection; readonly search: SettingsSearch };

/** A list of configured objects, and the one that is open. */
export function CollectionPage({ collection, search }: Props) {
  const { id } = search;
  const isOpen = id !== undefined;
  if (isOpen && collection.isWide)
    return <EditorPanel key={collection.path} collection={collection} id={id} />;
  return (
    <>
      <ListPane key={collection.path} collection={collection} search={search} />
      {isOpen && <EditorPanel key={`${collection.path} ${id}`} collection={collection} id={id} />}
    </>
  );
}

/** The list with its head and search. */
export function ListPane({ collection, search }: Props) {
  const words = useWords();
  const { id, q = '' } = search;
  const object = words.configureObjects[collection.path];
  const mayWrite = useMay().has(collection.write);
  const [limit, setLimit] = useState(pageSize);
  const found = useItems(collection.path, q, limit);
  return (
    <section className="pane" aria-label={object.title}>
      <ListHead collection={collection} query={listQuery(q, limit)} mayWrite={mayWrite} />
      <SearchTools collection={collection} search={search} total={found?.paging.total} />
      {!mayWrite && (
        <p className="cfnote" role="note">
          <Icon name="lock" size={16} />
          <span>{words.configure.mayNot(collection.write)}</span>
        </p>
      )}
      {found && <Found collection={collection} found={found} openId={id} q={q} />}
      {found && found.paging.total > found.items.length && (
        <Button
          label={words.configure.showMore(String(found.items.length), String(found.paging.total))}
          kind="sm ghost"
          disabled={limit >= largestPage}
          onClick={() => setLimit(largestPage)}
        />
      )}
    </section>
  );
}

/** Opens an object, a new one or a search of the collection. */
function useGoTo({ page }: Collection) {
  const navigate = useNavigate();
  return (search: SettingsSearch, replace = false) =>
    void navigate({ to: '/settings/$page', params: { page }, search, replace });
}

type HeadProps = {
  readonly collection: Collection;
  readonly query: ReturnType<typeof listQuery>;
  readonly mayWrite: boolean;
};

function ListHead({ collection, query, mayWrite }: HeadProps) {
  const words = useWords();
  const goTo = useGoTo(collection);
  const object = words.configureObjects[collection.path];
  return (
    <header className="whead">
      <div>
        <h1>{object.title}</h1>
        <p className="muted">
          {object.lead} <HelpLink to={collection.help} />
        </p>
        {collection.summary?.()}
      </div>
      <span className="fill" />
      <ApiCallButton call={{ method: 'GET', path: `/${collection.path}`, query }} of={object.title} />
      <Button
        label={object.create}
        icon="plus"
        kind="sm"
        disabled={!mayWrite}
        {...(!mayWrite && { title: words.configure.mayNot(collection.write) })}
        onClick={() => goTo({ ...(query.search !== undefined && { q: query.search }), id: 'new' })}
      />
    </header>
  );
}

function SearchTools({ collection, search, total }: Props & { readonly total: number | undefined }) {
  const words = useWords();
  const goTo = useGoTo(collection);
  const { id, q = '' } = search;
  return (
    <div className="wtools">
      <label className="input sm">
        <Icon name="search" size={14} />
        <input
          type="search"
          aria-label={words.configure.search(words.configureObjects[collection.path].title)}
          placeholder={words.configure.searchHint}
          value={q}
          onChange={({ target }) =>
            goTo({ ...(target.value !== '' && { q: target.value }), ...(id !== undefined && { id }) }, true)
          }
        />
      </label>
      <span className="muted" role="status">
        {total === undefined ? '' : words.configure.exactly(String(total))}
      </span>
    </div>
  );
}

type FoundProps = {
  readonly collection: Collection;
  readonly found: Page<Item>;
  readonly openId: SettingsSearch['id'];
  readonly q: string;
};

function Found({ collection, found, openId, q }: FoundProps) {
  const words = useWords().configure;
  if (found.paging.total > 0)
    return <CollectionList collection={collection} items={found.items} openId={openId} q={q} />;
  return <p className="muted">{q === '' ? words.noneYet : words.noneFound(q)}</p>;
}
