import { ProblemError } from '@tocsin/client';
import { type FormEvent, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { useServices } from '../services/services.ts';
import { Mark } from '../symbols/mark.tsx';
import { useWords } from '../words/use-words.ts';
import { DoorFoot } from './door-foot.tsx';
import { Field } from './field.tsx';
import { formText } from './form-text.ts';
import { postPublic } from './sign-in-requests.ts';

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
      await postPublic(`${basePath}/api/v1/setup`, { code, username, password });
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
