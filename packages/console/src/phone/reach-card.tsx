import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserReachability } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { usePhone } from './phone-context.tsx';

type Medium = UserReachability['media'][number];

const icons: Record<string, IconName> = {
  Voice: 'phone',
  Sms: 'message-square-text',
  Email: 'mail',
  Push: 'smartphone',
};

/** Tests each medium of this person, and shows what came of it. */
export function ReachCard() {
  const words = useWords().phone;
  const { api } = useServices();
  const { user, isOnline } = usePhone();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const queryKey = ['reachability', user.id];
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await api.get<UserReachability>(`/users/${user.id}/reachability`)).data,
    enabled: user.id > 0,
    refetchInterval: ({ state }) => (state.data?.testing ? 1_000 : 15_000),
  });
  const test = async () => {
    setFailure(undefined);
    try {
      await api.post(`/users/${user.id}/reachability-test`, {});
    } catch (error) {
      setFailure(words.notDone(reasonOf(error)));
    }
    await queries.invalidateQueries({ queryKey });
  };
  if (!data) return null;
  return (
    <>
      <h2 className="mh">
        {words.reachTitle} <Tested media={data.media} />
      </h2>
      {data.media.length === 0 && <p className="mnote">{words.reachNone}</p>}
      {data.media.length > 0 && (
        <>
          <ul className="reach">
            {data.media.map((medium) => (
              <Line key={`${medium.medium} ${medium.address}`} medium={medium} />
            ))}
          </ul>
          {failure !== undefined && (
            <p className="mdone" role="alert">
              {failure}
            </p>
          )}
          <Button
            label={data.testing ? words.reachTesting : words.reachTest}
            icon="phone-call"
            kind="huge2 full"
            disabled={data.testing || !isOnline}
            onClick={() => void test()}
          />
        </>
      )}
    </>
  );
}

function Tested({ media }: { readonly media: readonly Medium[] }) {
  const words = useWords().phone;
  const time = useSiteTime();
  const now = useNow();
  const last = Math.max(...media.map(({ testTime }) => (testTime === undefined ? 0 : Date.parse(testTime))));
  return last > 0 ? <small>{words.reachTested(time.when(last, now))}</small> : null;
}

/** Numbers by their last four digits; a subscription of a browser says nothing to people. */
function shownAddress({ medium, address }: Medium): string {
  if (medium === 'Push' || medium === 'Webhook') return '';
  return medium === 'Email' ? address : `…${address.slice(-4)}`;
}

function Line({ medium }: { readonly medium: Medium }) {
  const words = useWords();
  const name = words.media[medium.medium as keyof typeof words.media] ?? medium.medium;
  const isReached = medium.state === 'confirmed' || medium.state === 'delivered';
  const how = medium.confirmedBy === undefined ? medium.reason : words.phone.reachBy[medium.confirmedBy];
  const hasDetail = how !== '' && medium.state !== 'untested';
  return (
    <li className={medium.state === 'failed' ? 'bad' : undefined} data-medium={medium.medium}>
      <Icon name={isReached ? (icons[medium.medium] ?? 'phone') : failedIcon(medium)} size={20} />
      <span>
        <b className="cap">
          {name} {shownAddress(medium)}
        </b>
        {hasDetail && <small>{how}</small>}
      </span>
      <b>{words.phone.reach[medium.state]}</b>
    </li>
  );
}

const failedIcon = ({ state, medium }: Medium): IconName =>
  state === 'failed' ? 'circle-x' : (icons[medium] ?? 'phone');
