import { ProblemError } from '@tocsin/client';
import { type FormEvent, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { useServices } from '../services/services.ts';
import { Mark } from '../symbols/mark.tsx';
import { useWords } from '../words/use-words.ts';
import { DoorFoot } from './door-foot.tsx';
import { formText } from './form-text.ts';

/** The first page of an empty installation: names the plant and creates its first administrator. */
export function SetUpPage({ onDone }: { readonly onDone: () => void }) {
  const words = useWords().setUp;
  const { session, basePath } = useServices();
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [code, username, password] = ['code', 'username', 'password'].map((name) => formText(data, name));
    try {
      await postSetUp(basePath, { code, username, password });
      await session.logIn(username ?? '', password ?? '');
      onDone();
    } catch (error) {
      setFailure(
        words.refused(error instanceof ProblemError ? (error.detail ?? error.title) : String(error)),
      );
    }
  };
  return (
    <div className="signin">
      <main className="door">
        <section className="about">
          <div className="logo">
            <Mark size={44} />
            <b>Tocsin</b>
          </div>
          <h1>{words.title}</h1>
          <p className="lead">{words.lead}</p>
        </section>
        <form className="form" onSubmit={(event) => void submit(event)}>
          <Field label={words.code} name="code" hint={words.codeHint} />
          <Field label={words.userName} name="username" autoComplete="username" />
          <Field
            label={words.password}
            name="password"
            hint={words.passwordHint}
            type="password"
            autoComplete="new-password"
          />
          {failure !== undefined && (
            <p className="wrong" role="alert">
              {failure}
            </p>
          )}
          <Button label={words.go} kind="primary xl" type="submit" />
        </form>
      </main>
      <DoorFoot />
    </div>
  );
}

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly type?: string;
  readonly autoComplete?: string;
};

function Field({ label, name, hint, type = 'text', autoComplete = 'off' }: FieldProps) {
  return (
    <label className="fld">
      <span>
        <span>{label}</span> {hint !== undefined && <em>{hint}</em>}
      </span>
      <span className="input tall">
        <input name={name} type={type} autoComplete={autoComplete} autoCapitalize="none" required />
      </span>
    </label>
  );
}

/** Nobody has a token yet, so this is a plain request. */
async function postSetUp(basePath: string, form: Record<string, string | undefined>): Promise<void> {
  const response = await fetch(`${basePath}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  });
  if (response.ok) return;
  const {
    code = 'unknown',
    title = response.statusText,
    detail,
  } = (await response.json()) as {
    code?: string;
    title?: string;
    detail?: string;
  };
  throw new ProblemError({ status: response.status, code, title, detail });
}
