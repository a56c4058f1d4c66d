import type { ApiKey } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { useReadAgain } from '../core/item-queries.ts';

type Props = {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
};

/** Says what stops when a key is revoked, and asks for its name. */
export function RevokeDialog({ apiKey, onClose, onRevoked }: Props) {
  const all = useWords();
  const words = all.configureKeys;
  const { api } = useServices();
  const readAgain = useReadAgain();
  const time = useSiteTime();
  const now = useNow();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  const isNamed = typed.trim() === apiKey.name.trim();
  const submit = async () => {
    if (!isNamed) return;
    try {
      await api.remove(`/apikeys/${apiKey.id}`);
      await readAgain('apikeys');
      onRevoked();
    } catch (error) {
      setFailure(all.actions.failed(words.revoke, reasonOf(error)));
    }
  };
  const { lastUsedAt } = apiKey;
  const title = (
    <>
      <Icon name="key-round" size={20} />
      <span>{words.revokeTitle(apiKey.name)}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => void submit()}>
      <p>{words.revokeLead}</p>
      <p>
        <b>
          {lastUsedAt === undefined ? words.neverUsed : words.used(time.when(Date.parse(lastUsedAt), now))}
        </b>
      </p>
      <label className="fld">
        <span>{all.configureDelete.typeName(apiKey.name)}</span>
        <span className="input">
          <input data-first value={typed} onChange={({ target }) => setTyped(target.value)} />
        </span>
      </label>
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.revokeGo(apiKey.name)} kind="primary" type="submit" disabled={!isNamed} />
      </div>
    </Dialog>
  );
}
