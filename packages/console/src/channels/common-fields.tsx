import type { Channel, ChannelKind } from '@tocsin/contract';
import { mediumName } from '../alarm-page/describe-step.ts';
import { useWords } from '../words/use-words.ts';
import type { ChannelEditor } from './use-channel-editor.ts';

type Props = { readonly editor: ChannelEditor; readonly kind: ChannelKind; readonly isDisabled: boolean };

/** What every channel has: name, medium, order, and whether it is in use. */
export function CommonFields({ editor, kind, isDisabled }: Props) {
  const words = useWords().channels;
  const { draft, change } = editor;
  return (
    <>
      <label className="fr">
        <span>{words.name}</span>
        <span className="input sm3">
          <input
            value={draft.name}
            required
            maxLength={256}
            disabled={isDisabled}
            autoComplete="off"
            onChange={({ target }) => change({ name: target.value })}
          />
        </span>
      </label>
      {kind.media.length > 1 && <MediumField editor={editor} kind={kind} isDisabled={isDisabled} />}
      <label className="fr">
        <span>{words.priority}</span>
        <span className="input sm3">
          <input
            type="number"
            min={1}
            max={1_000}
            required
            value={draft.priority}
            disabled={isDisabled}
            onChange={({ target }) => change({ priority: target.value })}
          />
        </span>
        <small>{words.priorityHint}</small>
      </label>
      <label className="chk">
        <input
          type="checkbox"
          checked={draft.enabled}
          disabled={isDisabled}
          onChange={({ target }) => change({ enabled: target.checked })}
        />
        <span>{words.enabled}</span>
      </label>
    </>
  );
}

function MediumField({ editor: { draft, change }, kind, isDisabled }: Props) {
  const all = useWords();
  const words = all.channels;
  return (
    <label className="fr">
      <span>{words.medium}</span>
      <span className="input sm3">
        <select
          value={draft.medium}
          disabled={isDisabled}
          onChange={({ target }) => change({ medium: target.value as Channel['medium'] })}
        >
          {kind.media.map((medium) => (
            <option key={medium} value={medium}>
              {mediumName(medium, all)}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}
