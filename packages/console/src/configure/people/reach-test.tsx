import type { User } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import { usePersonReach } from './reach-queries.ts';

/** The last tests of a person, and a button that tests now. */
export function ReachTest({ user: { id: userId, media } }: { readonly user: User }) {
  const all = useWords();
  const words = all.configurePeople;
  const { api } = useServices();
  const reach = usePersonReach(userId);
  const [said, setSaid] = useState<string>();
  const test = async () => {
    try {
      await api.post(`/users/${userId}/reachability-test`, {});
      setSaid(words.testStarted);
    } catch (error) {
      setSaid(all.actions.failed(words.test, reasonOf(error)));
    }
  };
  if (!reach || media.length === 0) return null;
  return (
    <section aria-label={words.reached}>
      <h3>{words.reached}</h3>
      <div className="reachbox">
        <span>
          <b>{words.reachedWords[reach.reached]}</b>
          {reach.media
            .filter(({ reason }) => reason !== '')
            .map(({ medium, reason }) => (
              <small key={medium}>
                {medium}: {reason}
              </small>
            ))}
        </span>
        <Button
          label={words.test}
          icon="send"
          kind="sm"
          disabled={reach.testing}
          onClick={() => void test()}
        />
      </div>
      {said !== undefined && <p role="status">{said}</p>}
    </section>
  );
}
