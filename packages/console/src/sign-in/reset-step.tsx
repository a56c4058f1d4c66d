import type { FormEvent } from 'react';
import { Button } from '../frame/button.tsx';
import { useAttempt } from '../security/use-attempt.ts';
import { Wrong } from '../security/wrong.tsx';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { Field } from './field.tsx';
import { formText } from './form-text.ts';
import type { Halfway } from './halfway.ts';
import { postPublic } from './sign-in-requests.ts';
import { useLogIn } from './use-log-in.ts';

type Props = { readonly onHalfway: (halfway: Halfway) => void; readonly onBack: () => void };

/** A new password with the code of an administrator. It also signs in. */
export function ResetStep({ onHalfway, onBack }: Props) {
  const { signInSteps: words, signIn, setUp } = useWords();
  const { basePath } = useServices();
  const { attempt, failure, isBusy } = useAttempt();
  const { logIn, failure: notIn } = useLogIn(onHalfway);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [username, code, password] = ['username', 'code', 'password'].map((name) => formText(form, name));
    if (username === undefined || password === undefined) return;
    const isSet = await attempt(async () => {
      await postPublic(`${basePath}/api/v1/auth/password-reset`, { username, code: code?.trim(), password });
    });
    if (isSet) await logIn(username, password);
  };
  return (
    <section className="form" aria-label={words.resetTitle}>
      <form onSubmit={(event) => void submit(event)}>
        <header>
          <h2>{words.resetTitle}</h2>
        </header>
        <p>{words.resetLead}</p>
        <Field label={signIn.userName} name="username" autoComplete="username" />
        <Field label={words.resetCode} name="code" hint={words.resetCodeHint} />
        <Field
          label={words.newPassword}
          name="password"
          hint={setUp.passwordHint}
          type="password"
          autoComplete="new-password"
          minLength={12}
        />
        <Wrong text={failure ?? notIn} />
        <Button label={words.setPassword} kind="primary xl" type="submit" disabled={isBusy} />
      </form>
      <Button label={words.back} kind="ghost sm" onClick={onBack} />
    </section>
  );
}
