import { Link } from '@tanstack/react-router';
import type { CallGroup } from '@tocsin/contract';
import { ApiCallButton } from '../frame/api-call.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { currentTime } from '../time/current-time.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { canBeCalled } from './planning/can-be-called.ts';
import { rosterOf } from './planning/roster-of.ts';
import { gapsIn } from './planning/shifts.ts';
import { groupsCall, useLeaves, usePeople, useZoneOf } from './roster-queries.ts';

type Props = { readonly groups: readonly CallGroup[]; readonly current: number | undefined };

const hourMs = 3_600_000;
const weekMs = 6 * 24 * hourMs;
const aheadMs = 30 * 24 * hourMs;

/** The call groups, with their next gap. */
export function GroupList({ groups, current }: Props) {
  const words = useWords().roster;
  return (
    <nav className="groups" aria-label={words.groups}>
      <h2>
        <span>{words.groups}</span>
        <ApiCallButton call={groupsCall} of={words.groups} />
      </h2>
      {groups.map((group) => (
        <Link
          key={group.id}
          className={group.id === current ? 'grp current' : 'grp'}
          to="/roster"
          search={(before) => ({ ...before, group: group.id })}
          {...(group.id === current && { 'aria-current': 'true' as const })}
        >
          <b>{group.localizedName}</b>
          <small>{words.size(peopleOf(group).length, group.teams.length)}</small>
          <NextGap group={group} />
        </Link>
      ))}
    </nav>
  );
}

const peopleOf = ({ userIds, teams }: CallGroup) => [
  ...new Set([...userIds, ...teams.flatMap((team) => team.userIds)]),
];

function NextGap({ group }: { readonly group: CallGroup }) {
  const words = useWords().roster;
  const language = useLanguage();
  const zone = useZoneOf()(group);
  const people = usePeople();
  const from = Math.floor(currentTime() / hourMs) * hourMs;
  const period = { from, to: from + aheadMs };
  const leaves = useLeaves(period.from, period.to);
  if (group.roster.slots.length + group.roster.overrides.length === 0) return null;
  const [gap] = gapsIn(rosterOf(group, leaves), zone, period, canBeCalled(people));
  if (!gap) return null;
  const format = (options: Intl.DateTimeFormatOptions, locale: string = language) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(gap.from);
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, 'en-GB');
  const isSoon = gap.from - from < weekMs;
  const day = format(isSoon ? { weekday: 'short' } : { day: 'numeric', month: 'short' });
  const when = `${day} ${clock}`;
  return (
    <span className="warn">
      <AlarmSymbol priority={3} state="ack" size={16} named={false} />
      <span>{words.gapAt(when)}</span>
    </span>
  );
}
