import { ProblemError } from '@tocsin/client';
import { type FormEvent, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { isPhonePath } from '../phone/remembered.ts';
import { useServices } from '../services/services.ts';
import { audioContext } from '../sound/audio.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { About } from './about.tsx';
import { DoorFoot } from './door-foot.tsx';
import { formText } from './form-text.ts';

function reasonOf(error: unknown, words: Words['signIn']): string {
  if (!(error instanceof ProblemError)) return String(error);
  if (error.status === 0) return words.noAnswer;
  if (error.status === 429) return words.tooMany(error.retryAfterSeconds ?? 60);
  return error.status === 400 ? words.wrong : (error.detail ?? error.title);
}

/** Signs a person in. The click also arms the sound, because browsers allow none before a gesture. */
export function SignInPage() {
  const { signIn: words, desk } = useWords();
  const { session, basePath } = useServices();
  const ends = { ended: words.ended, 'other-user': desk.otherUser };
  const [failure, setFailure] = useState<string>();
  const told = failure ?? (session.end && ends[session.end]);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void audioContext()?.resume();
    setIsBusy(true);
    try {
      await session.logIn(formText(form, 'username'), formText(form, 'password'));
    } catch (error) {
      setFailure(reasonOf(error, words));
      setIsBusy(false);
    }
  };
  return (
    <div className="signin">
      <main className="door">
        <About />
        <form className="form" onSubmit={(event) => void submit(event)}>
          <header>
            <h2>{words.title}</h2>
          </header>
          <label className="fld">
            <span>{words.userName}</span>
            <span className="input tall">
              <input name="username" autoComplete="username" autoCapitalize="none" required />
            </span>
          </label>
          <Password />
          {told !== undefined && (
            <p className="wrong" role="alert">
              {told}
            </p>
          )}
          <Button
            // The page for telephones has no horn.
            {...(isPhonePath(location.pathname, basePath)
              ? { label: words.title }
              : { label: words.go, icon: 'volume-2' as const })}
            kind="primary xl"
            type="submit"
            disabled={isBusy}
          />
        </form>
      </main>
      <DoorFoot />
    </div>
  );
}

/** Can be shown and pasted; password managers fill it. */
function Password() {
  const words = useWords().signIn;
  const [isShown, setIsShown] = useState(false);
  return (
    <label className="fld">
      <span>{words.password}</span>
      <span className="input tall">
        <input
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          required
        />
        <button type="button" className="btn sm ghost" onClick={() => setIsShown(!isShown)}>
          {isShown ? words.hide : words.show}
        </button>
      </span>
    </label>
  );
}
