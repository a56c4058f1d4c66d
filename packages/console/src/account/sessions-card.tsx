import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserSession, UserSessions } from '@tocsin/contract';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { deviceName } from './device-name.ts';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

/** Where the user is signed in. What is not theirs can be ended. */
export function SessionsCard({ userId }: { readonly userId: number }) {
  const words = useWords().account;
  const { api } = useServices();
  const queries = useQueryClient();
  const { change, told, isBusy } = useChange();
  const path = `/users/${userId}/sessions`;
  const queryKey = ['sessions', userId];
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await api.get<UserSessions>(path)).data.items,
  });
  const end = async (ended: readonly UserSession[]) => {
    await change(words.ended(ended.length), async () => {
      for (const { id } of ended) await api.remove(`${path}/${id}`);
    });
    await queries.invalidateQueries({ queryKey });
  };
  const others = data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Card title={words.sessions} call={{ method: 'GET', path }}>
      <div className="in">
        <p className="muted">{words.sessionsLead}</p>
        <ul className="sessions">
          {data?.map((session) => (
            <Line key={session.id} session={session} onEnd={isBusy ? undefined : () => void end([session])} />
          ))}
        </ul>
        {others.length > 1 && (
          <Button
            label={words.endOthers}
            icon="log-out"
            kind="sm"
            disabled={isBusy}
            onClick={() => void end(others)}
          />
        )}
        <Told told={told} />
      </div>
    </Card>
  );
}

type LineProps = { readonly session: UserSession; readonly onEnd: (() => void) | undefined };

function Line({ session, onEnd }: LineProps) {
  const words = useWords().account;
  const time = useSiteTime();
  const now = useNow();
  const { device, address, isCurrent } = session;
  const name = deviceName(device) || words.unknownDevice;
  // Times of the server are in UTC.
  const [opened, used] = [session.openTime, session.lastUse].map((text) => Date.parse(`${text}Z`));
  return (
    <li>
      <Icon name={/phone|tablet/i.test(name) ? 'smartphone' : 'monitor'} size={20} />
      <span>
        <b>{name}</b>
        <small>
          {words.openedAt(time.when(opened ?? now, now), address)}
          {'. '}
          {isCurrent ? words.thisOne : words.usedAt(time.when(used ?? now, now))}
        </small>
      </span>
      {isCurrent ? (
        <b className="now">{words.here}</b>
      ) : (
        <Button
          label={words.end}
          kind="sm"
          aria-label={words.endOf(name)}
          disabled={!onEnd}
          onClick={onEnd}
        />
      )}
    </li>
  );
}
