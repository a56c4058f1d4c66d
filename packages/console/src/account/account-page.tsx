import { useMeta } from '../services/queries.ts';
import { useWords } from '../words/use-words.ts';
import { DeskCard } from './desk-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PinCard } from './pin-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** What belongs to the user alone: when and how they are called, and how they sign in. */
export function AccountPage() {
  const words = useWords().account;
  const user = useMeta()?.user;
  return (
    <main className="accountpage">
      <header>
        <h1>{words.title}</h1>
        <p className="muted">{words.lead}</p>
      </header>
      {user && user.id > 0 && (
        <div className="accountcards">
          <RulesCard userId={user.id} />
          <div>
            <SecondFactorCard userId={user.id} />
            <SessionsCard userId={user.id} />
            <PasswordCard userId={user.id} />
            <PinCard userId={user.id} />
            <DeskCard />
          </div>
        </div>
      )}
      {user?.id === 0 && <p>{words.noUser}</p>}
    </main>
  );
}
