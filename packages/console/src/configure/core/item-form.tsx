import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { ConflictView } from './conflict-view.tsx';
import { FieldInput } from './field-input.tsx';
import type { Editor } from './use-editor.ts';

type Props = { readonly editor: Editor; readonly mayWrite: boolean };

/** All fields of an object. The server's objections are shown at the fields that they concern. */
export function ItemForm({ editor, mayWrite }: Props) {
  const words = useWords().configure;
  const { collection, draft, changed, failure, theirs, merged, item } = editor;
  const faultOf = (name: string) =>
    failure?.faults.find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))?.message;
  return (
    <>
      {!mayWrite && (
        <p className="cfnote" role="note">
          <Icon name="lock" size={16} />
          <span>{words.mayNot(collection.write)}</span>
        </p>
      )}
      {failure && (
        <p className="wrong" role="alert">
          {failure.text}
        </p>
      )}
      {theirs && merged && <ConflictView editor={editor} theirs={theirs} merged={merged} />}
      <fieldset className="cffields" disabled={!mayWrite}>
        <legend className="vh">{item?.name ?? words.isNew}</legend>
        {Object.entries(collection.fields).map(([name, field]) => (
          <FieldInput
            key={name}
            name={name}
            field={field}
            value={draft[name]}
            ownId={item?.id}
            isChanged={item !== undefined && changed.includes(name)}
            fault={faultOf(name)}
            onChange={(value) => editor.change({ [name]: value })}
          />
        ))}
      </fieldset>
    </>
  );
}
