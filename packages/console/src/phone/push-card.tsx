import { type FormEvent, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { formText } from '../sign-in/form-text.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { usePhone } from './phone-context.tsx';
import type { PushState } from './push-address.ts';
import { usePush } from './use-push.ts';

const textOf = (state: PushState, words: Words['phone']): string =>
  ({
    unsupported: words.pushUnsupported,
    'not-offered': words.pushNotOffered,
    denied: words.pushDenied,
    off: words.pushOff,
    unconfirmed: words.pushCode,
    on: words.pushOn,
  })[state];

/** Lets this browser show calls while the page is closed. */
export function PushCard() {
  const words = useWords().phone;
  const { isOnline } = usePhone();
  const push = usePush();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const run = (task: Promise<void>) => {
    setFailure(undefined);
    setIsBusy(true);
    void task
      .catch((error: unknown) => setFailure(words.notDone(reasonOf(error))))
      .finally(() => setIsBusy(false));
  };
  const { state } = push;
  if (state === undefined) return null;
  const isOn = state === 'on' || state === 'unconfirmed';
  return (
    <>
      <h2 className="mh">{words.pushTitle}</h2>
      <p className="mnote pushtext">
        {textOf(state, words)} {state === 'on' && words.pushNever}
      </p>
      {failure !== undefined && (
        <p className="mdone" role="alert">
          {failure}
        </p>
      )}
      {state === 'unconfirmed' && <CodeForm onCode={(code) => run(push.confirm(code))} />}
      {(isOn || state === 'off') && (
        <Button
          label={isOn ? words.pushStop : words.pushStart}
          icon={isOn ? 'bell-off' : 'bell-ring'}
          kind="huge2 full"
          disabled={isBusy || !isOnline}
          onClick={() => run(isOn ? push.stop() : push.start())}
        />
      )}
    </>
  );
}

function CodeForm({ onCode }: { readonly onCode: (code: string) => void }) {
  const words = useWords().phone;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCode(formText(new FormData(event.currentTarget), 'code').trim());
  };
  return (
    <form className="mcode" onSubmit={submit}>
      <label className="fld">
        <span>{words.pushCodeLabel}</span>
        <span className="input tall">
          <input name="code" inputMode="numeric" autoComplete="one-time-code" pattern="[0-9]{6}" required />
        </span>
      </label>
      <Button label={words.pushCodeGo} kind="primary huge2 full" type="submit" />
    </form>
  );
}
