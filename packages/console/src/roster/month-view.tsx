import { Link } from '@tanstack/react-router';
import type { Leave } from '@tocsin/contract';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useWords } from '../words/use-words.ts';
import { useNames } from './names.ts';
import { canBeCalled } from './planning/can-be-called.ts';
import { type Duty, dutiesOf, instantOf, spanOn } from './planning/days.ts';
import { clockOf, dateOfDay } from './planning/roster-of.ts';
import { useRoster } from './roster-context.ts';

type Props = { readonly days: readonly number[]; readonly day: number; readonly today: number };

/** Who is on duty on each day of a month. A day leads to its week. */
export function MonthView({ days, day, today }: Props) {
  const names = useNames();
  const { roster, zone } = useRoster();
  const duties = dutiesOf(roster, zone, days[0] ?? 0, (days.at(-1) ?? 0) + 1);
  const month = dateOfDay(day).slice(0, 7);
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7));
  return (
    <table className="month" aria-label={names.month(day)}>
      <thead>
        <tr>
          {days.slice(0, 7).map((one) => (
            <th key={one} scope="col">
              {names.weekday(one)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((one) => (
              <Cell
                key={one}
                day={one}
                duties={duties}
                kind={`${one === today ? 'today' : ''} ${dateOfDay(one).startsWith(month) ? '' : 'other'}`}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type CellProps = { readonly day: number; readonly duties: readonly Duty[]; readonly kind: string };

function Cell({ day, duties, kind }: CellProps) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, zone, people, leaves } = useRoster();
  const date = dateOfDay(day);
  const holiday = planner.draft.holidays.find((one) => one.date === date);
  const isCallable = canBeCalled(people);
  const lines = duties.flatMap((duty) => {
    const period = { from: duty.startsAt.getTime(), to: duty.endsAt.getTime() };
    const span = spanOn(period, day, zone);
    return span ? [{ ...duty, span }] : [];
  });
  return (
    <td className={kind.trim()}>
      <Link
        className="mday"
        to="/roster"
        search={(before) => ({ ...before, day: date, view: undefined })}
        aria-label={names.longDay(day)}
      >
        {names.dayOfMonth(day)}
      </Link>
      {holiday && <small className="holiday">{holiday.name || words.holiday}</small>}
      <ul>
        {lines.map(({ span, why, teamIds, userIds }) => (
          <li key={span.from} className={why === 'override' ? 'ov' : ''}>
            <time>{clockOf(Math.floor(span.from))}</time>
            {userIds.some(isCallable) ? (
              <span>
                {teamIds.length > 0 ? teamIds.map(names.letter).join(' ') : ''}{' '}
                {teamIds.length === 0 || why === 'override' ? userIds.map(names.firstName).join(', ') : ''}
              </span>
            ) : (
              <b className="mgap">
                <AlarmSymbol priority={3} state="ack" size={14} named={false} />
                <span>{words.nobody}</span>
              </b>
            )}
          </li>
        ))}
      </ul>
      <Away leaves={leaves} day={day} />
    </td>
  );
}

/** People of the group who are on leave. */
function Away({ leaves, day }: { readonly leaves: readonly Leave[]; readonly day: number }) {
  const words = useWords().roster;
  const { planner, zone } = useRoster();
  const [from, to] = [instantOf(day, 0, zone), instantOf(day + 1, 0, zone)];
  const { userIds } = planner.planned;
  const members = new Set([...userIds, ...planner.draft.teams.flatMap((team) => team.userIds)]);
  const away = leaves.filter(
    (leave) => members.has(leave.userId) && Date.parse(leave.from) < to && Date.parse(leave.to) > from,
  );
  if (away.length === 0) return null;
  return <small className="away">{words.away(away.map(({ user }) => user).join(', '))}</small>;
}
