import { type FormEvent, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { isPhonePath } from '../phone/remembered.ts';
import { Wrong } from '../security/wrong.tsx';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { formText } from './form-text.ts';
import type { Halfway } from './halfway.ts';
import { OtherWays } from './other-ways.tsx';
import { outsideProblem } from './outside-trip.ts';
import { useLogIn } from './use-log-in.ts';

type Props = { readonly onHalfway: (halfway: Halfway) => void; readonly onReset: () => void };

/** The name and the password, and the other ways in. */
export function PasswordStep({ onHalfway, onReset }: Props) {
  const { signIn: words, signInSteps } = useWords();
  const { basePath } = useServices();
  const { logIn, failure, isBusy } = useLogIn(onHalfway);
  const before = useWhatWasBefore();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void logIn(formText(form, 'username'), formText(form, 'password'));
  };
  return (
    <section className="form" aria-label={words.title}>
      <form onSubmit={submit}>
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
        <Wrong text={failure ?? before} />
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
      <OtherWays />
      <Button label={signInSteps.haveReset} kind="ghost sm" onClick={onReset} />
    </section>
  );
}

/** Why the page is shown, if the user has not asked for it. */
function useWhatWasBefore(): string | undefined {
  const { signIn, signInSteps, desk } = useWords();
  const { session } = useServices();
  const [problem] = useState(() => outsideProblem(location.search));
  if (problem !== undefined) {
    const known = signInSteps.problems as Record<string, string>;
    return known[problem] ?? signInSteps.unknownProblem(problem);
  }
  const ends = { ended: signIn.ended, 'other-user': desk.otherUser };
  return session.end && ends[session.end];
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
