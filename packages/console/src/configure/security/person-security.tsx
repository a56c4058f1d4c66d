import type { PasswordResetCode, SecondFactors } from '@tocsin/contract';
import { useState } from 'react';
import { Told } from '../../account/told.tsx';
import { useChange } from '../../account/use-change.ts';
import { Button } from '../../frame/button.tsx';
import { useReadFactorsAgain, useSecondFactors } from '../../security/factor-queries.ts';
import { useServices } from '../../services/services.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';

type Props = { readonly userId: number };

/** What an administrator (and nobody else) does for somebody who cannot sign in: a reset code, no second factors, a badge. */
export function PersonSecurity({ userId }: Props) {
  const words = useWords().security;
  const factors = useSecondFactors(userId);
  return (
    <section aria-label={words.personTitle} className="personsecurity">
      <h3>{words.personTitle}</h3>
      <ResetCode userId={userId} />
      {factors && <Factors userId={userId} factors={factors} />}
      <Badge userId={userId} />
    </section>
  );
}

/** A code is shown once, to be told in person or by telephone. */
function ResetCode({ userId }: Props) {
  const words = useWords().security;
  const { api } = useServices();
  const time = useSiteTime();
  const now = useNow();
  const { change, told, isBusy } = useChange();
  const [made, setMade] = useState<PasswordResetCode>();
  const make = () =>
    change(words.resetMade, async () => {
      setMade((await api.post<PasswordResetCode>(`/users/${userId}/password-reset`)).data);
    });
  return (
    <div className="securityline">
      <span>
        <b>{words.forgotten}</b>
        <small>{words.forgottenLead}</small>
      </span>
      <Button label={words.makeReset} kind="sm" disabled={isBusy} onClick={() => void make()} />
      {made && (
        <p className="resetcode" role="status">
          <code>{made.code}</code>
          <small>{words.validUntil(time.when(Date.parse(`${made.expiryTime}Z`), now))}</small>
        </p>
      )}
      <Told told={told} />
    </div>
  );
}

function Factors({ userId, factors }: Props & { readonly factors: SecondFactors }) {
  const words = useWords().security;
  const { api } = useServices();
  const readAgain = useReadFactorsAgain(userId);
  const { change, told, isBusy } = useChange();
  const [isAsking, setIsAsking] = useState(false);
  const { totp, passkeys } = factors;
  const hasAny = totp !== undefined || passkeys.length > 0;
  const reset = async () => {
    setIsAsking(false);
    await change(words.factorsReset, () => api.remove(`/users/${userId}/second-factors`));
    await readAgain();
  };
  return (
    <div className="securityline">
      <span>
        <b>{words.secondFactor}</b>
        <small>{hasAny ? words.hasFactors(totp ? 1 : 0, passkeys.length) : words.noFactors}</small>
      </span>
      {hasAny && !isAsking && (
        <Button label={words.resetFactors} kind="sm" disabled={isBusy} onClick={() => setIsAsking(true)} />
      )}
      {isAsking && (
        <span className="buttons">
          <Button label={words.resetFactorsGo} kind="sm primary" onClick={() => void reset()} />
          <Button label={words.cancel} kind="sm ghost" onClick={() => setIsAsking(false)} />
        </span>
      )}
      <Told told={told} />
    </div>
  );
}

/** A badge is what its reader types; it is never shown again. */
function Badge({ userId }: Props) {
  const words = useWords().security;
  const { api } = useServices();
  const { change, told, isBusy } = useChange();
  const [badge, setBadge] = useState('');
  const path = `/users/${userId}/badge`;
  const save = async () => {
    if (await change(words.badgeSaved, () => api.put(path, { badge: badge.trim() }))) setBadge('');
  };
  return (
    <div className="securityline">
      <span>
        <b>{words.badge}</b>
        <small>{words.badgeLead}</small>
      </span>
      <span className="buttons">
        <span className="input sm">
          <input
            type="password"
            autoComplete="off"
            aria-label={words.badgeNumber}
            maxLength={128}
            value={badge}
            onChange={({ target }) => setBadge(target.value)}
            // The reader ends with Enter, which would save the form around it.
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              if (badge.trim().length >= 4) void save();
            }}
          />
        </span>
        <Button
          label={words.saveBadge}
          kind="sm"
          disabled={isBusy || badge.trim().length < 4}
          onClick={() => void save()}
        />
        <Button
          label={words.removeBadge}
          kind="sm ghost"
          disabled={isBusy}
          onClick={() => void change(words.badgeRemoved, () => api.remove(path))}
        />
      </span>
      <Told told={told} />
    </div>
  );
}
