import type { Channel, ChannelKind } from '@tocsin/contract';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { iconOfMedium } from './medium-icon.ts';

type Props = {
  readonly kinds: readonly ChannelKind[];
  readonly medium: Channel['medium'] | undefined;
  readonly onChoose: (kind: ChannelKind) => void;
  readonly onClose: () => void;
};

/** The kinds of channels that the server has. */
export function NewChannel({ kinds, medium, onChoose, onClose }: Props) {
  const all = useWords();
  const offered = kinds.filter(({ media }) => medium === undefined || media.includes(medium));
  return (
    <Dialog title={all.channels.newChannel} kind="wide tall" onClose={onClose} onSubmit={onClose}>
      <div className="kinds two">
        {offered.map((kind) => (
          <button key={kind.kind} type="button" className="kind" onClick={() => onChoose(kind)}>
            <b>
              <Icon name={iconOfMedium(kind.media[0] ?? '')} size={16} />
              {kind.title}
            </b>
            <small>{kind.description}</small>
          </button>
        ))}
      </div>
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
      </div>
    </Dialog>
  );
}
