import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useMay } from '../../services/use-may.ts';
import { useWords } from '../../words/use-words.ts';
import type { Collection } from './collection.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { toBody } from './fields.ts';
import { Initials } from './initials.tsx';
import { ItemForm } from './item-form.tsx';
import { type Loaded, useItem } from './item-queries.ts';
import { type Editor, useEditor } from './use-editor.ts';

type Props = { readonly collection: Collection; readonly id: number | 'new' };

/** One object beside the list, or a new one. */
export function EditorPanel({ collection, id }: Props) {
  if (id === 'new') return <LoadedPanel key="new" collection={collection} loaded={undefined} />;
  return <ExistingPanel key={id} collection={collection} id={id} />;
}

function ExistingPanel({ collection, id }: { readonly collection: Collection; readonly id: number }) {
  const words = useWords().configure;
  const { data, error } = useItem(collection.path, id);
  if (error)
    return (
      <aside className="panel" aria-label={words.notFound}>
        <div className="scroll">
          <section>
            <p className="wrong" role="alert">
              {reasonOf(error)}
            </p>
          </section>
        </div>
      </aside>
    );
  return data ? <LoadedPanel collection={collection} loaded={data} /> : <aside className="panel" aria-busy />;
}

type LoadedProps = { readonly collection: Collection; readonly loaded: Loaded | undefined };

function LoadedPanel({ collection, loaded }: LoadedProps) {
  const words = useWords();
  const navigate = useNavigate();
  const open = (id: number | undefined) =>
    void navigate({
      to: '/settings/$page',
      params: { page: collection.page },
      search: ({ q }) => ({ ...(q !== undefined && { q }), ...(id !== undefined && { id }) }),
    });
  const editor = useEditor({ collection, loaded, onCreated: open });
  const [isDeleting, setIsDeleting] = useState(false);
  const mayWrite = useMay().has(collection.write);
  const { item, etag } = editor;
  const title = item?.name ?? words.configureObjects[collection.path].create;
  return (
    <aside className="panel cfpanel" aria-label={title}>
      <form
        className="cfform"
        onSubmit={(event) => {
          event.preventDefault();
          if (editor.canSave && !editor.theirs) void editor.save();
        }}
      >
        <PanelHead editor={editor} title={title} onClose={() => open(undefined)} />
        <div className="scroll" tabIndex={-1}>
          {item && collection.first?.(item)}
          <section className="cfbody">
            <ItemForm editor={editor} mayWrite={mayWrite} />
          </section>
          {item &&
            collection.more?.(item, {
              isChanged: editor.changed.length > 0,
              mayWrite,
              draft: editor.draft,
              readAgain: editor.readAgain,
            })}
        </div>
        <PanelFoot editor={editor} mayWrite={mayWrite} onDelete={() => setIsDeleting(true)} />
      </form>
      {isDeleting && item && (
        <DeleteDialog
          collection={collection}
          item={item}
          etag={etag}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => open(undefined)}
        />
      )}
    </aside>
  );
}

type HeadProps = { readonly editor: Editor; readonly title: string; readonly onClose: () => void };

function PanelHead({ editor, title, onClose }: HeadProps) {
  const words = useWords();
  const { collection, item, draft } = editor;
  const path = item ? `/${collection.path}/${item.id}` : `/${collection.path}`;
  const body = toBody(collection.fields, { ...draft, ...('password' in draft && { password: '' }) });
  return (
    <div className="phead">
      {collection.hasInitials && item && <Initials name={title} kind="lg" />}
      <span>
        <h2>{title}</h2>
        <p>{item ? words.configure.number(String(item.id)) : words.configure.isNew}</p>
      </span>
      <span className="fill" />
      <ApiCallButton call={{ method: item ? 'PUT' : 'POST', path, body }} of={title} />
      <Button label={words.keys.close} icon="x" kind="sm ghost" onClick={onClose} />
    </div>
  );
}

type FootProps = { readonly editor: Editor; readonly mayWrite: boolean; readonly onDelete: () => void };

function PanelFoot({ editor, mayWrite, onDelete }: FootProps) {
  const words = useWords().configure;
  const { changed, item, isSaved, canSave, theirs, isChanged } = editor;
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged.current,
    enableBeforeUnload: () => isChanged.current,
    withResolver: true,
  });
  const saveLabel = changed.length === 0 ? words.nothingToSave : words.save(changed.length);
  if (blocker.status === 'blocked')
    // Another element than the other footer: a button that became the one to submit while it is pressed would save.
    return (
      <footer key="question">
        <p role="alert">{words.notSaved}</p>
        <span className="fill" />
        <Button label={words.discard} kind="sm ghost" onClick={blocker.proceed} />
        <Button label={words.stay} kind="sm primary" autoFocus onClick={blocker.reset} />
      </footer>
    );
  return (
    <footer key="actions">
      {item && mayWrite && <Button label={words.remove1} icon="trash-2" kind="sm ghost" onClick={onDelete} />}
      <span className="fill" role="status">
        {isSaved ? words.saved : ''}
      </span>
      {item && changed.length > 0 && (
        <Button label={words.undo} icon="undo-2" kind="sm ghost" onClick={editor.undo} />
      )}
      {mayWrite && !theirs && (
        <Button label={item ? saveLabel : words.create} kind="sm primary" type="submit" disabled={!canSave} />
      )}
    </footer>
  );
}
