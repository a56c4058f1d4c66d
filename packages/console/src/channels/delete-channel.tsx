import type { Channel } from '@tocsin/contract';
import { useState } from 'react';
import { mediumName } from '../alarm-page/describe-step.ts';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';

type Props = {
  readonly channel: Channel;
  readonly channels: readonly Channel[];
  readonly onDelete: () => void;
  readonly onClose: () => void;
};

/** Names what is lost with the channel, and asks for its name. */
export function DeleteChannel({ channel, channels, onDelete, onClose }: Props) {
  const all = useWords();
  const words = all.channels;
  const [typed, setTyped] = useState('');
  const { name, medium, id, secretsSet } = channel;
  const others = channels.filter((each) => each.id !== id && each.medium === medium && each.enabled);
  const isConfirmed = typed.trim() === name.trim();
  const title = (
    <>
      <Icon name="trash-2" size={20} />
      <span>{words.removeTitle(name)}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => isConfirmed && onDelete()}>
      <p>
        <b>
          {others.length === 0
            ? words.removeLast(mediumName(medium, all))
            : words.removeOthers(others.map((each) => each.name).join(', '))}
        </b>
      </p>
      {secretsSet.length > 0 && <p>{words.removeSecrets}</p>}
      <label className="fld">
        <span>
          <span>{words.removeType(name)}</span>
        </span>
        <span className="input">
          <input
            data-first
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </span>
      </label>
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.removeGo(name)} kind="primary" type="submit" disabled={!isConfirmed} />
      </div>
    </Dialog>
  );
}
