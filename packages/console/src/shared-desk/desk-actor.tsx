import { useQueryClient } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';
import { useSharedDesk } from '../services/use-shared-desk.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

/** Who acts at the shared desk, and until when. */
export function DeskActor() {
  const words = useWords().sharedDesk;
  const { name, actor } = useSharedDesk();
  const time = useSiteTime();
  const now = useNow();
  return (
    <>
      <Icon name={actor ? 'user' : 'monitor'} size={20} />
      <span>
        <b>{actor?.name ?? words.nobody}</b>
        <small>{actor ? words.until(time.when(actor.until, now)) : `${words.nobodyHint} ${name}`}</small>
      </span>
    </>
  );
}

/** Lets somebody say that they act, or that they are done. */
export function DeskMenu({ onDone }: { readonly onDone: () => void }) {
  const words = useWords().sharedDesk;
  const { api, desk } = useServices();
  const queries = useQueryClient();
  const { actor } = useSharedDesk();
  const leave = async () => {
    onDone();
    try {
      await api.post('/auth/desk/leave');
    } finally {
      desk.leave();
      await queries.invalidateQueries();
    }
  };
  const begin = () => {
    onDone();
    void desk.ask();
  };
  return (
    <>
      <button type="button" className="btn sm ghost" onClick={begin}>
        <Icon name="id-card" size={14} />
        <span>{actor ? words.others : words.act}</span>
      </button>
      {actor && (
        <button type="button" className="btn sm ghost" onClick={() => void leave()}>
          <Icon name="check" size={14} />
          <span>{words.leave}</span>
        </button>
      )}
    </>
  );
}
