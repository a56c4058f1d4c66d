import { useNavigate } from '@tanstack/react-router';
import type { SavedView } from '@tocsin/contract';
import { type ReactNode, useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useViewChanges } from '../../services/saved-views.ts';
import { Icon } from '../../symbols/icon.tsx';
import type { IconName } from '../../symbols/icon-names.ts';
import { useWords } from '../../words/use-words.ts';
import { type AlarmFilter, writeFilter } from './filter.ts';

type FrameProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly go: string;
  readonly isReady?: boolean;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog that closes when its request was granted, and says why when it was not. */
function ViewDialog({ icon, title, go, isReady = true, act, onClose, children }: FrameProps) {
  const words = useWords().actions;
  const [failure, setFailure] = useState<string>();
  const submit = () => {
    if (isReady) act().then(onClose, (error: unknown) => setFailure(words.failed(go, reasonOf(error))));
  };
  const heading = (
    <>
      <Icon name={icon} size={20} />
      <span>{title}</span>
    </>
  );
  return (
    <Dialog title={heading} onClose={onClose} onSubmit={submit}>
      {children}
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="dlgact">
        <Button label={words.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={go} kind="primary" type="submit" disabled={!isReady} />
      </div>
    </Dialog>
  );
}

type SaveProps = { readonly filter: AlarmFilter; readonly onClose: () => void };

export function SaveViewDialog({ filter, onClose }: SaveProps) {
  const words = useWords().list;
  const { save } = useViewChanges();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  return (
    <ViewDialog
      icon="bookmark-plus"
      title={words.saveView}
      go={words.saveView}
      isReady={name.trim() !== ''}
      act={() => save({ name: name.trim(), search: writeFilter(filter), shared })}
      onClose={onClose}
    >
      <label className="fld">
        <span>
          <span>{words.viewName}</span> <em>{words.viewNameHint}</em>
        </span>
        <span className="input tall">
          <input data-first value={name} maxLength={64} onChange={({ target }) => setName(target.value)} />
        </span>
      </label>
      <label className="chk">
        <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
        <span>{words.shareView}</span>
      </label>
    </ViewDialog>
  );
}

type DeleteProps = { readonly view: SavedView; readonly onClose: () => void };

export function DeleteViewDialog({ view, onClose }: DeleteProps) {
  const words = useWords().list;
  const { remove } = useViewChanges();
  const navigate = useNavigate();
  const act = async () => {
    await remove(view.id);
    await navigate({ to: '/', search: {} });
  };
  return (
    <ViewDialog
      icon="trash-2"
      title={words.deleteView(view.name)}
      go={words.deleteViewGo}
      act={act}
      onClose={onClose}
    >
      <p>{view.shared ? words.deleteSharedHint : words.deleteViewHint}</p>
    </ViewDialog>
  );
}
