import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { SessionState } from '@tocsin/client';
import { useEffect, useState } from 'react';
import { forget, isPhonePath } from './phone/remembered.ts';
import { useServices } from './services/services.ts';
import { useSessionState } from './services/use-session.ts';
import { SetUpPage } from './sign-in/set-up-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

/** On a bad line the phone shows what it has kept after this time. */
const answerWithinMs = 8_000;

/** Shows the console to those who are signed in, the set-up page on an empty installation, else the sign-in page. */
export function Gate() {
  const { session, basePath } = useServices();
  const state = useSessionState();
  const queries = useQueryClient();
  const [isEmpty, setIsEmpty] = useState(false);
  const [isNew, setIsNew] = useState(false);
  const [isUnreachable, setIsUnreachable] = useState(false);
  useEffect(() => {
    const begin = async () => {
      const answer = await fetch(`${basePath}/api/v1/setup`, { signal: AbortSignal.timeout(answerWithinMs) });
      setIsEmpty(answer.ok && ((await answer.json()) as { needed: boolean }).needed);
      if (hasSignedIn()) await session.restore();
      else setIsNew(true);
    };
    void begin().catch(() => setIsUnreachable(true));
  }, [session, basePath]);
  useEffect(() => rememberSignIn(state), [state]);
  useEffect(() => {
    // The next user of this desk must not see the name, settings and views of the last one.
    if (state === 'signed-out') queries.clear();
  }, [state, queries]);
  if (state === 'signed-in') return <Outlet />;
  // A telephone in a cellar shows what it has kept, and sends when it can. A desk without a server shows nothing.
  const isPhone = isPhonePath(location.pathname, basePath);
  if (isPhone && isUnreachable && state === 'unknown' && hasSignedIn()) return <Outlet />;
  if (isEmpty) return <SetUpPage onDone={() => setIsEmpty(false)} />;
  return state === 'signed-out' || isNew ? <SignInPage /> : null;
}

const flag = 'tocsin-signed-in';

/** Whether this browser may have a session. Scripts cannot see its cookie, and asking in vain would look like an error. */
const hasSignedIn = () => localStorage.getItem(flag) !== null;

function rememberSignIn(state: SessionState): void {
  if (state === 'signed-in') localStorage.setItem(flag, 'yes');
  if (state !== 'signed-out') return;
  localStorage.removeItem(flag);
  forget();
}
