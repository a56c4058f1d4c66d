import type { ChannelKind } from '@tocsin/contract';
import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { differencesOf, draftOf } from './channel-draft.ts';
import type { ChannelEditor } from './use-channel-editor.ts';

type Props = { readonly editor: ChannelEditor; readonly kind: ChannelKind };

/** Somebody else has saved or deleted the channel meanwhile: what differs, and the choice. */
export function ChannelConflict({ editor, kind }: Props) {
  const words = useWords().channels;
  const { theirs, draft, fields } = editor;
  if (theirs === undefined) return null;
  if (theirs === 'gone')
    return (
      <p className="wrong" role="alert">
        {words.conflictGone}
      </p>
    );
  const differences = differencesOf(draftOf(theirs.data, kind), draft, { fields, names: words });
  return (
    <section className="conflict" role="alert">
      <h3>
        <Icon name="triangle-alert" size={16} />
        <span>{words.conflict}</span>
      </h3>
      <p>{differences.length === 0 ? words.conflictSame : words.conflictLead}</p>
      <dl>
        {differences.map((each) => (
          <div key={each.name}>
            <dt>{each.name}</dt>
            <dd>
              <small>{words.theirs}</small>
              <span>{each.theirs === '' ? words.empty : each.theirs}</span>
            </dd>
            <dd>
              <small>{words.mine}</small>
              <span>{each.mine === '' ? words.empty : each.mine}</span>
            </dd>
          </div>
        ))}
      </dl>
      <span className="conflictact">
        <Button label={words.takeTheirs} onClick={editor.takeTheirs} />
        <Button label={words.saveMine} kind="primary" onClick={() => void editor.saveMine()} />
      </span>
    </section>
  );
}
