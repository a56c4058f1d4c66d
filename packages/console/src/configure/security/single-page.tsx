import type { ReactNode } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { useMay } from '../../services/use-may.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { FieldInput } from '../core/field-input.tsx';
import type { Fields } from '../core/fields.ts';
import { HelpLink } from '../help-link.tsx';
import type { Single } from './use-single.ts';

type Props = {
  readonly title: string;
  readonly lead: string;
  readonly path: string;
  readonly help: string;
  readonly fields: Fields;
  readonly single: Single;
  /** What is shown besides the form. */
  readonly children?: ReactNode;
  /** Further buttons beside the one that saves. */
  readonly buttons?: ReactNode;
};

const write = 'people:write';

/** A setting that exists once, as a form of its own page. */
export function SinglePage({ title, lead, path, help, fields, single, children, buttons }: Props) {
  const words = useWords().configure;
  const mayWrite = useMay().has(write);
  return (
    <section className="pane singlepage" aria-label={title}>
      <header className="whead">
        <div>
          <h1>{title}</h1>
          <p className="muted">
            {lead} <HelpLink to={help} />
          </p>
        </div>
        <span className="fill" />
        <ApiCallButton call={{ method: 'GET', path }} of={title} />
      </header>
      {!mayWrite && (
        <p className="cfnote" role="note">
          <Icon name="lock" size={16} />
          <span>{words.mayNot(write)}</span>
        </p>
      )}
      {single.stored && (
        <div className="singlecards">
          <SingleForm title={title} fields={fields} single={single} mayWrite={mayWrite} buttons={buttons} />
          {children}
        </div>
      )}
    </section>
  );
}

type FormProps = Pick<Props, 'title' | 'fields' | 'single' | 'buttons'> & { readonly mayWrite: boolean };

function SingleForm({ title, fields, single, mayWrite, buttons }: FormProps) {
  const words = useWords().configure;
  const { draft, changed, failure, stored, isSaved, canSave } = single;
  const faultOf = (name: string) =>
    failure?.faults.find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))?.message;
  return (
    <form
      className="card singleform"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void single.save();
      }}
    >
      <fieldset className="cffields" disabled={!mayWrite}>
        <legend className="vh">{title}</legend>
        {Object.entries(fields).map(([name, field]) => (
          <FieldInput
            key={name}
            name={name}
            field={field}
            value={draft[name]}
            ownId={undefined}
            isChanged={stored?.data !== undefined && changed.includes(name)}
            fault={faultOf(name)}
            onChange={(value) => single.change({ [name]: value })}
          />
        ))}
      </fieldset>
      {failure && (
        <p className="wrong" role="alert">
          {failure.text}
        </p>
      )}
      {mayWrite && (
        <footer>
          {buttons}
          <span className="fill" role="status">
            {isSaved ? words.saved : ''}
          </span>
          {changed.length > 0 && (
            <Button label={words.undo} icon="undo-2" kind="sm ghost" onClick={single.undo} />
          )}
          <Button
            label={changed.length === 0 ? words.nothingToSave : words.save(changed.length)}
            kind="sm primary"
            type="submit"
            disabled={!canSave}
          />
        </footer>
      )}
    </form>
  );
}
