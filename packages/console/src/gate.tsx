import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import type { SessionState } from '@tocsin/client';
import { lazy, Suspense, useEffect, useState } from 'react';
import { forget, isPhonePath } from './phone/remembered.ts';
import { Demanded } from './security/demanded.tsx';
import { useServices } from './services/services.ts';
import { useDemands } from './services/use-demands.ts';
import { useSessionState } from './services/use-session.ts';
import { NoServerPage } from './sign-in/no-server-page.tsx';
import { endTrip } from './sign-in/outside-trip.ts';
import { SetUpPage } from './sign-in/set-up-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

const FactorPage = lazy(async () => ({ default: (await import('./sign-in/factor-page.tsx')).FactorPage }));

/** On a bad line the phone shows what it has kept after this time. */
const answerWithinMs = 8_000;
const askAgainMs = 3_000;

/** Shows the console to those who are signed in, the set-up page on an empty installation, else the sign-in page. */
export function Gate() {
  const { basePath, demands, desk } = useServices();
  const state = useSessionState();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { start, finishSetUp } = useStart(isPhonePath(location.pathname, basePath));
  useEffect(() => rememberSignIn(state), [state]);
  useEffect(() => {
    // The next user of this desk must not see the name, settings and views of the last one.
    if (state !== 'signed-out') return;
    queries.clear();
    demands.forget();
    desk.name(undefined);
  }, [state, queries, demands, desk]);
  if (state === 'signed-in') return <Inside />;
  if (start === 'no-server' && state === 'unknown') {
    // A telephone in a cellar shows what it has kept, and sends when it can.
    return isPhonePath(location.pathname, basePath) && hasSignedIn() ? <Outlet /> : <NoServerPage />;
  }
  const begin = () => {
    finishSetUp();
    void navigate({ to: '/set-up' });
  };
  if (start === 'empty') return <SetUpPage onDone={begin} />;
  return state === 'signed-out' || start === 'new' ? <SignInPage /> : null;
}

/** The console, or the set-up of the second factor that the role of the user needs. */
function Inside() {
  const { demands } = useServices();
  const { needsFactor } = useDemands();
  const queries = useQueryClient();
  const go = () => {
    // What was refused until now is read again.
    queries.clear();
    demands.forget();
  };
  if (needsFactor)
    return (
      <Suspense>
        <FactorPage onDone={go} />
      </Suspense>
    );
  return (
    <>
      <Outlet />
      <Demanded />
    </>
  );
}

type Start = 'unknown' | 'no-server' | 'empty' | 'new' | 'known';

/** What the server and this browser know of the user. A desk asks until there is an answer: nobody may be there to reload it. */
function useStart(isPhone: boolean): { start: Start; finishSetUp: () => void } {
  const { session, basePath } = useServices();
  const [start, setStart] = useState<Start>('unknown');
  useEffect(() => {
    const leaving = new AbortController();
    const isBack = endTrip();
    const mayBeIn = () => isBack || hasSignedIn();
    const ask = async () => {
      const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(answerWithinMs)]);
      const answer = await fetch(`${basePath}/api/v1/setup`, { signal });
      if (answer.status >= 500) throw new Error(`status ${answer.status}`);
      const isEmpty = answer.ok && ((await answer.json()) as { needed: boolean }).needed;
      if (isEmpty) setStart('empty');
      else setStart(mayBeIn() ? 'known' : 'new');
      if (mayBeIn()) await session.restore();
    };
    const askUntilAnswered = async () => {
      try {
        await ask();
      } catch {
        if (leaving.signal.aborted) return;
        setStart('no-server');
        if (!isPhone || !hasSignedIn())
          setTimeout(() => void (leaving.signal.aborted || askUntilAnswered()), askAgainMs);
      }
    };
    void askUntilAnswered();
    return () => leaving.abort();
  }, [session, basePath, isPhone]);
  return { start, finishSetUp: () => setStart('new') };
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
