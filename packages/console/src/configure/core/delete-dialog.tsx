import type { ObjectUse } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { Collection, Item } from './collection.ts';
import { useReadAgain, useUses } from './item-queries.ts';
import { UseList } from './use-list.tsx';

type Props = {
  readonly collection: Collection;
  readonly item: Item;
  readonly etag: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

/** Says who uses the object before it is deleted, and asks for its name. What is in use cannot be deleted. */
export function DeleteDialog({ collection, item, etag, onClose, onDeleted }: Props) {
  const all = useWords();
  const words = all.configureDelete;
  const { api } = useServices();
  const readAgain = useReadAgain();
  const uses = useUses(collection.path, item.id, collection.isUnused);
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  const isBlocked = uses?.items.some(({ blocks }) => blocks) ?? true;
  const canDelete = !isBlocked && typed.trim() === item.name.trim();
  const submit = async () => {
    if (!canDelete) return;
    try {
      await api.remove(`/${collection.path}/${item.id}`, { ifMatch: etag });
      await readAgain(collection.path);
      onDeleted();
    } catch (error) {
      setFailure(all.actions.failed(words.deleting, reasonOf(error)));
    }
  };
  const title = (
    <>
      <Icon name="trash-2" size={20} />
      <span>{words.title(item.name)}</span>
    </>
  );
  return (
    <Dialog title={title} kind="tall" onClose={onClose} onSubmit={() => void submit()}>
      {uses && <Consequences uses={uses.items} total={uses.paging.total} onOpen={onClose} />}
      {uses && !isBlocked && (
        <label className="fld">
          <span>{words.typeName(item.name)}</span>
          <span className="input">
            <input data-first value={typed} onChange={({ target }) => setTyped(target.value)} />
          </span>
        </label>
      )}
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.go(item.name)} kind="primary" type="submit" disabled={!canDelete} />
      </div>
    </Dialog>
  );
}

type ConsequencesProps = {
  readonly uses: readonly ObjectUse[];
  readonly total: number;
  readonly onOpen: () => void;
};

function Consequences({ uses, total, onOpen }: ConsequencesProps) {
  const words = useWords().configureDelete;
  const blocking = uses.filter(({ blocks }) => blocks);
  const changed = uses.filter(({ blocks }) => !blocks);
  const isCut = total > uses.length;
  return (
    <>
      {uses.length === 0 && <p>{words.unused}</p>}
      {blocking.length > 0 && (
        <>
          <p>
            <b>{words.blocked}</b>
          </p>
          <UseList uses={blocking} onOpen={onOpen} />
        </>
      )}
      {changed.length > 0 && (
        <>
          <p>{blocking.length > 0 ? words.changedToo : words.changed}</p>
          <UseList uses={changed} onOpen={onOpen} />
        </>
      )}
      {isCut && <p>{words.more(String(total - uses.length))}</p>}
    </>
  );
}
