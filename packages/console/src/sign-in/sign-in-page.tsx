import { lazy, Suspense, useState } from 'react';
import { About } from './about.tsx';
import { DoorFoot } from './door-foot.tsx';
import type { Halfway } from './halfway.ts';
import { PasswordStep } from './password-step.tsx';

const SecondFactorStep = lazy(async () => ({
  default: (await import('./second-factor-step.tsx')).SecondFactorStep,
}));
const ResetStep = lazy(async () => ({ default: (await import('./reset-step.tsx')).ResetStep }));

/** Signs a person in, in one step or two. */
export function SignInPage() {
  const [halfway, setHalfway] = useState<Halfway>();
  const [isResetting, setIsResetting] = useState(false);
  const back = () => {
    setHalfway(undefined);
    setIsResetting(false);
  };
  return (
    <div className="signin">
      <main className="door">
        <About />
        <Suspense fallback={<section className="form" aria-busy />}>
          {halfway ? (
            <SecondFactorStep halfway={halfway} onBack={back} />
          ) : isResetting ? (
            <ResetStep onHalfway={setHalfway} onBack={back} />
          ) : (
            <PasswordStep onHalfway={setHalfway} onReset={() => setIsResetting(true)} />
          )}
        </Suspense>
      </main>
      <DoorFoot />
    </div>
  );
}
