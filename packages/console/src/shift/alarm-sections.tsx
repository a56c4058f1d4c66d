import type { ShiftSummary } from '@tocsin/contract';
import { type AlarmRow, type RowState, shownPriority } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { BeingCalled } from '../alarms/being-called.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { AlarmLink, Section } from './section.tsx';

type Props = { readonly summary: ShiftSummary; readonly now: number };
type Open = ShiftSummary['open']['items'][number];
type Taken = ShiftSummary['taken']['items'][number];
type Returned = ShiftSummary['returned']['items'][number];

const active = 1;
const unacknowledged = 2;

/** The state by the summary, unless the live list knows it better. */
function stateOf({ state }: Open, row: AlarmRow | undefined): RowState {
  if (row) return row.state;
  if ((state & unacknowledged) === 0) return 'ack';
  return (state & active) === 0 ? 'rtn' : 'new';
}

const byUrgency = <Item extends { readonly priority: number }>(items: readonly Item[]) =>
  items.toSorted((a, b) => a.priority - b.priority);

const textOf = ({ message, name }: { readonly message: string; readonly name: string }) =>
  message === '' ? name : message;

type Rows = ReturnType<typeof useAlarms>['byId'];

const notMasked = ({ open }: ShiftSummary, byId: Rows) =>
  open.items.filter(({ id }) => byId.get(id)?.state !== 'mask');

/** How many alarms are open, without those that are masked. */
export const openCount = (summary: ShiftSummary, byId: Rows): number =>
  summary.open.total - summary.open.items.length + notMasked(summary, byId).length;

/** What the next shift gets. Masked alarms are told with the masks. */
export function OpenSection({ summary, now }: Props) {
  const words = useWords().shift;
  const { byId } = useAlarms();
  const total = openCount(summary, byId);
  const masked = summary.open.total - total;
  return (
    <Section
      title={words.open}
      note={masked === 0 ? '' : words.masked(masked)}
      items={notMasked(summary, byId)}
      total={total}
      most={10}
      none={words.openNone}
    >
      {(item) => <OpenLine key={item.id} item={item} row={byId.get(item.id)} now={now} />}
    </Section>
  );
}

type LineProps = { readonly item: Open; readonly row: AlarmRow | undefined; readonly now: number };

function OpenLine({ item, row, now }: LineProps) {
  const words = useWords().shift;
  const time = useSiteTime();
  const priority = shownPriority(item.priority);
  const more = [row?.context?.area, item.comment, item.beforePeriod ? words.before : ''];
  return (
    <li className={priority === 1 ? 'nowl' : ''}>
      <AlarmSymbol priority={priority} state={stateOf(item, row)} />
      <AlarmLink id={item.id} text={textOf(item)} more={more.filter(Boolean).join(', ')} />
      {row ? <BeingCalled row={row} /> : <By name={item.ackUser} />}
      <time>{time.when(Date.parse(item.alarmTime), now)}</time>
    </li>
  );
}

function By({ name }: { readonly name: string }) {
  return (
    <span className="who">
      {name !== '' && <Icon name="check" size={14} />}
      <span className="txt">
        <b>{name}</b>
      </span>
    </span>
  );
}

/** What was acknowledged, by whom. Those that are still open are drawn so. */
export function TakenSection({ summary: { taken, open }, now }: Props) {
  const words = useWords().shift;
  const time = useSiteTime();
  const stillOpen = new Set(open.items.map(({ id }) => id));
  const users = taken.users
    .slice(0, 4)
    .map(({ user, taken: count }) => (count === taken.total ? user : words.takes(user, count)));
  return (
    <Section
      title={words.taken}
      note={users.join(', ')}
      items={byUrgency(taken.items)}
      total={taken.total}
      none={words.takenNone}
    >
      {(item: Taken) => (
        <li key={`${item.id} ${item.time}`}>
          <AlarmSymbol
            priority={shownPriority(item.priority)}
            state={stillOpen.has(item.id) ? 'ack' : 'over'}
          />
          <AlarmLink id={item.id} text={textOf(item)} more={item.comment} />
          <By name={item.user} />
          <time>{time.when(Date.parse(item.time), now)}</time>
        </li>
      )}
    </Section>
  );
}

export function ReturnedSection({ summary: { returned }, now }: Props) {
  const words = useWords().shift;
  const time = useSiteTime();
  return (
    <Section
      title={words.returned}
      items={byUrgency(returned.items)}
      total={returned.total}
      most={5}
      none={words.returnedNone}
    >
      {(item: Returned) => (
        <li key={`${item.id} ${item.resetTime}`}>
          <AlarmSymbol priority={shownPriority(item.priority)} state="over" />
          <AlarmLink id={item.id} text={textOf(item)} />
          <span className="who">{words.from(time.when(Date.parse(item.alarmTime), now))}</span>
          <time>{time.when(Date.parse(item.resetTime), now)}</time>
        </li>
      )}
    </Section>
  );
}
