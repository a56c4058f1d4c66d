import { ProblemError } from '@tocsin/client';
import type { ApiKey } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import { FieldInput } from '../core/field-input.tsx';
import { missingFields, toBody, toDraft, type Values } from '../core/fields.ts';
import { useReadAgain } from '../core/item-queries.ts';
import { keys } from './key-collection.tsx';

type Created = ApiKey & { readonly key: string };

/** Empty lists mean everything, and are left out. */
function keyBody(draft: Values): Values {
  const body = toBody(keys.fields, draft);
  const isSaid = (value: unknown) =>
    !(Array.isArray(value) && value.length === 0) && value !== 0 && value !== false;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => isSaid(value)));
}

/** Makes a key. It is shown once, because the server keeps only its hash. */
export function NewKeyPanel({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { api } = useServices();
  const readAgain = useReadAgain();
  const [draft, setDraft] = useState(() => toDraft(keys.fields));
  const [created, setCreated] = useState<Created>();
  const [failure, setFailure] = useState<unknown>();
  const body = keyBody(draft);
  const submit = async () => {
    try {
      setFailure(undefined);
      setCreated((await api.post<Created>('/apikeys', body)).data);
      await readAgain('apikeys');
    } catch (error) {
      setFailure(error);
    }
  };
  const title = words.configureObjects.apikeys.create;
  return (
    <aside className="panel cfpanel" aria-label={title}>
      <form
        className="cfform"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="phead">
          <span>
            <h2>{created?.name ?? title}</h2>
          </span>
          <span className="fill" />
          <ApiCallButton call={{ method: 'POST', path: '/apikeys', body }} of={title} />
          <Button label={words.keys.close} icon="x" kind="sm ghost" onClick={onClose} />
        </div>
        <div className="scroll" tabIndex={-1}>
          <section className="cfbody">
            {created ? (
              <ShownOnce secret={created.key} />
            ) : (
              <KeyFields draft={draft} failure={failure} onChange={setDraft} />
            )}
          </section>
        </div>
        <KeyFoot isMade={created !== undefined} draft={draft} onClose={onClose} />
      </form>
    </aside>
  );
}

type FieldsProps = {
  readonly draft: Values;
  readonly failure: unknown;
  readonly onChange: (draft: Values) => void;
};

function KeyFields({ draft, failure, onChange }: FieldsProps) {
  const words = useWords();
  const faultOf = (name: string) =>
    failure instanceof ProblemError
      ? failure.errors.find(({ pointer }) => pointer.startsWith(`/${name}`))?.message
      : undefined;
  return (
    <>
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {words.actions.failed(words.configureKeys.make, reasonOf(failure))}
        </p>
      )}
      {Object.entries(keys.fields).map(([name, field]) => (
        <FieldInput
          key={name}
          name={name}
          field={field}
          value={draft[name]}
          ownId={undefined}
          isChanged={false}
          fault={faultOf(name)}
          onChange={(value) => onChange({ ...draft, [name]: value })}
        />
      ))}
    </>
  );
}

type FootProps = { readonly isMade: boolean; readonly draft: Values; readonly onClose: () => void };

function KeyFoot({ isMade, draft, onClose }: FootProps) {
  const words = useWords().configureKeys;
  return (
    <footer key={String(isMade)}>
      <span className="fill" />
      {isMade ? (
        <Button label={words.kept} kind="sm primary" onClick={onClose} />
      ) : (
        <Button
          label={words.make}
          kind="sm primary"
          type="submit"
          disabled={missingFields(keys.fields, draft).length > 0}
        />
      )}
    </footer>
  );
}

function ShownOnce({ secret }: { readonly secret: string }) {
  const words = useWords();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(secret).then(() => setIsCopied(true));
  return (
    <div className="shownonce" role="alert">
      <p>
        <b>{words.configureKeys.shownOnce}</b>
      </p>
      <p>{words.configureKeys.shownOnceLead}</p>
      <code dir="ltr">{secret}</code>
      {/* Browsers let pages without TLS copy nothing. The text can be selected. */}
      {isSecureContext && (
        <Button
          label={isCopied ? words.apiCall.copied : words.apiCall.copy}
          icon="copy"
          kind="sm"
          onClick={copy}
        />
      )}
    </div>
  );
}
