import type { OutboxItem, RefusalReason } from '@tocsin/client';
import { Button } from '../frame/button.tsx';
import { useMeta } from '../services/queries.ts';
import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { OfflineBox } from './offline-box.tsx';
import { useOutboxItems, usePhone } from './phone-context.tsx';

const mostAnswered = 20;

/** What this phone has still to send, and what the server said to the rest. */
export function SentTab() {
  const words = useWords().phone;
  const { outbox } = usePhone();
  const items = useOutboxItems();
  const waiting = items.filter(({ progress }) => progress.state === 'waiting');
  const answered = items.filter(({ progress }) => progress.state !== 'waiting').toReversed();
  return (
    <main className="mbody">
      <h1 className="vh">{words.tabs.sent}</h1>
      <OfflineBox />
      <h2 className="mh">
        {words.waiting} <b>{waiting.length}</b>
      </h2>
      {waiting.length === 0 ? (
        <p className="mnote">{words.nothingWaits}</p>
      ) : (
        <>
          <ul className="outbox">
            {waiting.map((item) => (
              <Waiting key={item.id} item={item} />
            ))}
          </ul>
          <Button
            label={words.tryNow}
            icon="rotate-cw"
            kind="huge2 full"
            onClick={() => void outbox.sendNow().catch(() => undefined)}
          />
        </>
      )}
      <h2 className="mh">{words.done}</h2>
      {answered.length === 0 ? (
        <p className="mnote">{words.nothingSent}</p>
      ) : (
        <ul className="outbox">
          {answered.slice(0, mostAnswered).map((item) => (
            <Answered key={item.id} item={item} />
          ))}
        </ul>
      )}
      <p className="mnote">{words.keptNote}</p>
    </main>
  );
}

function Waiting({ item: { id, alarm, madeAt, progress } }: { readonly item: OutboxItem }) {
  const words = useWords().phone;
  const { outbox } = usePhone();
  const time = useSiteTime();
  const now = useNow();
  const { tries, nextTryAt } = progress.state === 'waiting' ? progress : { tries: 0, nextTryAt: undefined };
  const parts = [words.made(time.when(madeAt, now)), tries === 0 ? words.notTried : words.tries(tries)];
  if (nextTryAt !== undefined && nextTryAt > now) parts.push(words.againIn(shortDuration(nextTryAt - now)));
  return (
    <li className="wait">
      <Icon name="circle-dashed" size={20} />
      <span>
        <b>{words.takeOf(alarm.message)}</b>
        <small>{parts.join(', ')}</small>
      </span>
      <Button label={words.withdraw} kind="small2" onClick={() => void outbox.dismiss(id)} />
    </li>
  );
}

function Answered({ item: { alarm, madeAt, progress } }: { readonly item: OutboxItem }) {
  const words = useWords().phone;
  const { user } = usePhone();
  const name = useMeta()?.user.name ?? user.name;
  const time = useSiteTime();
  const now = useNow();
  const isTaken = progress.state === 'accepted' && progress.acknowledgedBy === name;
  const text = () => {
    if (progress.state === 'waiting') return '';
    if (progress.state === 'refused') return words.notAccepted(reasonText(progress.reason, words));
    if (!isTaken) return words.notAccepted(words.acceptedOther(progress.acknowledgedBy));
    return words.accepted(time.when(progress.acceptedAt, now), time.when(madeAt, now));
  };
  return (
    <li>
      <Icon name={isTaken ? 'check' : 'x'} size={20} />
      <span>
        <b>{words.takeOf(alarm.message)}</b>
        <small>{text()}</small>
      </span>
    </li>
  );
}

function reasonText(reason: RefusalReason, words: Words['phone']): string {
  if (reason.code === 'refused') return reason.detail;
  return reason.code === 'over' ? words.reasonOver : words.reasonAgain;
}
