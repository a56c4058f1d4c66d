import type { SecondFactors } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useReadFactorsAgain, useSecondFactors } from '../security/factor-queries.ts';
import { RecoveryCodes } from '../security/recovery-codes.tsx';
import { TotpSetUp } from '../security/totp-set-up.tsx';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { PasskeyList } from './passkey-list.tsx';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

type Props = { readonly userId: number };

/** How the user shows that it is them, besides the password. */
export function SecondFactorCard({ userId }: Props) {
  const words = useWords().security;
  const factors = useSecondFactors(userId);
  const readAgain = useReadFactorsAgain(userId);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const show = (made: readonly string[]) => {
    setCodes(made);
    void readAgain();
  };
  return (
    <Card title={words.secondFactor} call={{ method: 'GET', path: `/users/${userId}/second-factors` }}>
      <div className="in factors">
        <p className="muted">{words.secondFactorLead}</p>
        {codes.length > 0 && <RecoveryCodes codes={codes} onKept={() => setCodes([])} />}
        {factors && codes.length === 0 && (
          <>
            <AppLine userId={userId} factors={factors} onCodes={show} />
            <PasskeyList userId={userId} factors={factors} onCodes={show} />
            <RecoveryLine userId={userId} factors={factors} onCodes={show} />
          </>
        )}
      </div>
    </Card>
  );
}

type LineProps = Props & {
  readonly factors: SecondFactors;
  readonly onCodes: (codes: readonly string[]) => void;
};

function AppLine({ userId, factors, onCodes }: LineProps) {
  const words = useWords().security;
  const { api } = useServices();
  const time = useSiteTime();
  const now = useNow();
  const { change, told, isBusy } = useChange();
  const [isAdding, setIsAdding] = useState(false);
  const { totp } = factors;
  const remove = async () => {
    if (await change(words.appRemoved, () => api.remove(`/users/${userId}/totp`))) onCodes([]);
  };
  const finish = (codes: readonly string[]) => {
    setIsAdding(false);
    onCodes(codes);
  };
  return (
    <section aria-label={words.app}>
      <div className="factorline">
        <Icon name="smartphone" size={20} />
        <span>
          <b>{words.app}</b>
          <small>{totp ? words.since(time.when(Date.parse(`${totp.since}Z`), now)) : words.appLead}</small>
        </span>
        {totp ? (
          <Button label={words.removeApp} kind="sm" disabled={isBusy} onClick={() => void remove()} />
        ) : (
          <Button
            label={isAdding ? words.cancel : words.addApp}
            kind="sm"
            onClick={() => setIsAdding(!isAdding)}
          />
        )}
      </div>
      {isAdding && <TotpSetUp userId={userId} onDone={finish} />}
      <Told told={told} />
    </section>
  );
}

function RecoveryLine({ userId, factors, onCodes }: LineProps) {
  const words = useWords().security;
  const { api } = useServices();
  const { change, told, isBusy } = useChange();
  const hasFactor = factors.totp !== undefined || factors.passkeys.length > 0;
  if (!hasFactor) return null;
  const renew = () =>
    change(words.codesMade, async () => {
      const { data } = await api.post<{ recoveryCodes: string[] }>(`/users/${userId}/recovery-codes`);
      onCodes(data.recoveryCodes);
    });
  return (
    <section aria-label={words.recovery}>
      <div className="factorline">
        <Icon name="key-round" size={20} />
        <span>
          <b>{words.recovery}</b>
          <small>{words.codesLeft(factors.recoveryCodesLeft)}</small>
        </span>
        <Button label={words.newCodes} kind="sm" disabled={isBusy} onClick={() => void renew()} />
      </div>
      <Told told={told} />
    </section>
  );
}
