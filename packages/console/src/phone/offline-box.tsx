import { useLive } from '../services/use-live.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { useOutboxItems, usePhone } from './phone-context.tsx';
import { readRemembered } from './remembered.ts';

/** Says what the server does not know, and how old the page is. */
export function OfflineBox() {
  const words = useWords().phone;
  const { isOnline, isConnecting } = usePhone();
  const isWaiting = useOutboxItems().some(({ progress }) => progress.state === 'waiting');
  const since = useLastHeard();
  if (isOnline || (isConnecting && !isWaiting)) return null;
  return (
    <div className="warnbox" role="status">
      <h2>
        <Icon name="wifi-off" size={18} />
        {isWaiting ? words.unsentTitle : words.offlineTitle}
      </h2>
      <p>{isWaiting ? words.unsentLead(since ?? '–') : words.offlineLead}</p>
      {!isWaiting && since !== undefined && <p>{words.asOf(since)}</p>}
    </div>
  );
}

/** When the server was last heard, as a text; also by an earlier visit of the page. */
function useLastHeard(): string | undefined {
  const { lastHeard } = useLive();
  const time = useSiteTime();
  const now = useNow();
  const heard = lastHeard ?? readRemembered()?.at;
  return heard === undefined ? undefined : time.when(heard, now);
}
