import type { DirectoryBody, DirectoryTestAnswer } from '@tocsin/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Card } from '../../frame/card.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useMay } from '../../services/use-may.ts';
import { formText } from '../../sign-in/form-text.ts';
import { useWords } from '../../words/use-words.ts';
import type { FieldsOf } from '../core/fields.ts';
import { shortChoice } from '../core/use-tell.ts';
import { SinglePage } from './single-page.tsx';
import { type Single, useSingle } from './use-single.ts';

const path = '/directory';

const fields: FieldsOf<DirectoryBody> = {
  url: { kind: 'text', isRequired: true, maxLength: 512, label: 'directoryUrl' },
  certificate: { kind: 'text', isOptional: true, isLong: true, maxLength: 65_536 },
  bindDn: { kind: 'text', isRequired: true, maxLength: 512 },
  bindPassword: { kind: 'secret', minLength: 1 },
  baseDn: { kind: 'text', isRequired: true, maxLength: 512 },
  userFilter: { kind: 'text', isRequired: true, maxLength: 512 },
  idAttribute: { kind: 'text', isRequired: true, maxLength: 64 },
  nameAttribute: { kind: 'text', isRequired: true, maxLength: 64 },
  groupAttribute: { kind: 'text', isRequired: true, maxLength: 64 },
  groupRoles: { kind: 'groupRoles' },
  createUsers: { kind: 'toggle', initial: false },
  enabled: { kind: 'toggle', initial: true, label: 'directoryEnabled' },
};

/** The directory that checks the passwords of people who have none here. */
export function DirectoryPage() {
  const words = useWords().securityForms;
  const single = useSingle(path, fields);
  const isStored = single.stored?.data !== undefined;
  return (
    <SinglePage
      title={words.directory}
      lead={words.directoryLead}
      path={path}
      help="outside-log-ins"
      fields={fields}
      single={single}
      buttons={isStored && <DeleteButton single={single} />}
    >
      {isStored && <TryCard isChanged={single.changed.length > 0} />}
    </SinglePage>
  );
}

/** Asks before it deletes. */
function DeleteButton({ single }: { readonly single: Single }) {
  const words = useWords();
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <Button
        label={words.configure.remove1}
        icon="trash-2"
        kind="sm ghost"
        onClick={() => setIsAsking(true)}
      />
    );
  return (
    <>
      <Button label={words.securityForms.deleteDirectory} kind="sm" onClick={() => void single.remove()} />
      <Button label={words.security.cancel} kind="sm ghost" onClick={() => setIsAsking(false)} />
    </>
  );
}

/** Looks somebody up with the stored settings, and shows what they would get. */
function TryCard({ isChanged }: { readonly isChanged: boolean }) {
  const words = useWords().securityForms;
  const { api } = useServices();
  const mayWrite = useMay().has('people:write');
  const [answer, setAnswer] = useState<DirectoryTestAnswer>();
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const username = formText(new FormData(event.currentTarget), 'username');
    setAnswer(undefined);
    setFailure(undefined);
    try {
      setAnswer((await api.post<DirectoryTestAnswer>(`${path}/test`, { username })).data);
    } catch (error) {
      setFailure(reasonOf(error));
    }
  };
  const call = { method: 'POST', path: `${path}/test`, body: { username: '…' } } as const;
  return (
    <Card title={words.tryDirectory} kind="trycard" call={call}>
      <form className="in" onSubmit={(event) => void submit(event)}>
        <p className="muted">{isChanged ? words.tryStored : words.tryLead}</p>
        <label className="fld">
          <span>{words.tryName}</span>
          <span className="input">
            <input name="username" autoComplete="off" autoCapitalize="none" maxLength={256} required />
          </span>
        </label>
        <Button label={words.tryGo} icon="search" kind="sm" type="submit" disabled={!mayWrite} />
        {failure !== undefined && (
          <p className="wrong" role="alert">
            {failure}
          </p>
        )}
        {answer && <Found answer={answer} />}
      </form>
    </Card>
  );
}

function Found({ answer }: { readonly answer: DirectoryTestAnswer }) {
  const all = useWords();
  const words = all.securityForms;
  const { reached, found, name, groups, role, reason } = answer;
  const facts: readonly (readonly [string, string])[] = [
    [words.tryReached, reached ? all.configure.yes : all.configure.no],
    [words.tryFound, found ? (name ?? all.configure.yes) : all.configure.no],
    [words.tryGroups, groups.length === 0 ? all.configure.nones.none : groups.join('\n')],
    [words.tryRole, role === undefined ? words.noRole : shortChoice(all, role)],
  ];
  return (
    <div role="status">
      <dl className="kv tried">
        {facts.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {reason !== undefined && <p className="wrong">{reason}</p>}
    </div>
  );
}
