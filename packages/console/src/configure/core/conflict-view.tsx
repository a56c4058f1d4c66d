import { Button } from '../../frame/button.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { useFieldNames } from './field-row.tsx';
import { differentFields, toDraft, type Values } from './fields.ts';
import type { Loaded } from './item-queries.ts';
import type { Editor } from './use-editor.ts';
import { useTell } from './use-tell.ts';

type Props = { readonly editor: Editor; readonly theirs: Loaded; readonly merged: Values };

/** Somebody else has saved meanwhile: what differs, and the choice between the two. */
export function ConflictView({ editor, theirs, merged }: Props) {
  const words = useWords();
  const fieldName = useFieldNames(editor.collection.fields);
  const tell = useTell(editor.collection);
  const time = useSiteTime();
  const now = useNow();
  const { fields } = editor.collection;
  const theirDraft = toDraft(fields, theirs.data);
  const at = Date.parse(`${String(theirs.data['lastChange'])}Z`);
  return (
    <section className="conflict" role="alert">
      <h3>
        <Icon name="triangle-alert" size={16} />
        <span>{words.configure.conflict(time.when(at, now))}</span>
      </h3>
      <p>{words.configure.conflictLead}</p>
      <dl>
        {differentFields(fields, theirDraft, merged).map((name) => (
          <div key={name}>
            <dt>{fieldName(name)}</dt>
            <dd>
              <small>{words.guidance.theirs}</small>
              <span>{tell(name, theirDraft[name])}</span>
            </dd>
            <dd>
              <small>{words.guidance.mine}</small>
              <span>{tell(name, merged[name])}</span>
            </dd>
          </div>
        ))}
      </dl>
      <span className="conflictact">
        <Button label={words.configure.takeTheirs} onClick={editor.takeTheirs} />
        <Button label={words.configure.saveMine} kind="primary" onClick={() => void editor.saveMine()} />
      </span>
    </section>
  );
}
