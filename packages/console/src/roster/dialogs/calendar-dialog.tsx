import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Calendar, CreatedCalendar } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { useRoster } from '../roster-context.ts';

const calendarsKey = ['calendars'];

/** Addresses by which calendar programs read duties: they are created, and revoked. */
export function CalendarDialog({ onClose }: { readonly onClose: () => void }) {
  const all = useWords();
  const words = all.roster;
  const { api, basePath } = useServices();
  const queries = useQueryClient();
  const { planner } = useRoster();
  const { group } = planner.base;
  const [created, setCreated] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const attempt = async (act: () => Promise<void>) => {
    try {
      setFailure(undefined);
      await act();
      await queries.invalidateQueries({ queryKey: calendarsKey });
    } catch (error) {
      setFailure(all.actions.failed(words.calendar, reasonOf(error)));
    }
  };
  const create = (callGroupId: number) =>
    attempt(async () => {
      const { data } = await api.post<CreatedCalendar>('/calendars', { callGroupId });
      setCreated(`${location.origin}${basePath}${data.path}`);
    });
  const title = (
    <>
      <Icon name="calendar-days" size={20} />
      <span>{words.calendar}</span>
    </>
  );
  return (
    <Dialog title={title} kind="wide" onClose={onClose} onSubmit={() => undefined}>
      <p>{words.calendarLead}</p>
      <span className="partact">
        <Button label={words.calendarMine} icon="plus" onClick={() => void create(0)} />
        <Button
          label={words.calendarGroup(group.localizedName)}
          icon="plus"
          onClick={() => void create(group.id)}
        />
      </span>
      {created !== undefined && <Address url={created} />}
      <Known onRevoke={(id) => void attempt(() => api.remove(`/calendars/${id}`))} />
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="dlgact">
        <Button label={all.keys.close} kind="primary" hint="Esc" onClick={onClose} />
      </div>
    </Dialog>
  );
}

function Address({ url }: { readonly url: string }) {
  const words = useWords();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(url).then(() => setIsCopied(true));
  return (
    <div className="calurl" role="status">
      <p>{words.roster.calendarOnce}</p>
      <label className="fld">
        <span>{words.roster.calendarAddress}</span>
        <span className="input tall">
          <input readOnly value={url} dir="ltr" onFocus={({ target }) => target.select()} />
        </span>
      </label>
      {/* Browsers let pages without TLS copy nothing. The text can be selected. */}
      {isSecureContext && (
        <Button label={isCopied ? words.apiCall.copied : words.apiCall.copy} icon="copy" onClick={copy} />
      )}
    </div>
  );
}

function Known({ onRevoke }: { readonly onRevoke: (id: number) => void }) {
  const words = useWords().roster;
  const { api } = useServices();
  const time = useSiteTime();
  const now = useNow();
  const { planner } = useRoster();
  const { data } = useQuery({
    queryKey: calendarsKey,
    queryFn: async () => (await api.get<{ items: Calendar[] }>('/calendars', { limit: 100 })).data.items,
  });
  if (!data || data.length === 0) return null;
  const { group } = planner.base;
  const of = ({ callGroupId }: Calendar) => {
    if (callGroupId === undefined) return words.calendarMine;
    return words.calendarGroup(callGroupId === group.id ? group.localizedName : String(callGroupId));
  };
  const used = ({ lastUsedAt }: Calendar) =>
    lastUsedAt === undefined ? words.neverRead : words.lastRead(time.when(Date.parse(lastUsedAt), now));
  return (
    <ul className="leaves">
      {data.map((calendar) => (
        <li key={calendar.id}>
          <b>{of(calendar)}</b>
          <span>
            {words.calendarSince(time.when(Date.parse(calendar.createdAt), now))}, {used(calendar)}
          </span>
          <Button label={words.revoke} icon="trash-2" kind="sm" onClick={() => onRevoke(calendar.id)} />
        </li>
      ))}
    </ul>
  );
}
