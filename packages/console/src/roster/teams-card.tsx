import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useWords } from '../words/use-words.ts';
import { TeamDialog } from './dialogs/team-dialog.tsx';
import { useNames } from './names.ts';
import { canBeCalled } from './planning/can-be-called.ts';
import { dutiesOf } from './planning/days.ts';
import type { Team } from './planning/draft.ts';
import { useRoster } from './roster-context.ts';

/** The teams: their people in the order of calling, whether these can be called, and their hours in the time shown. */
export function TeamsCard({ days }: { readonly days: readonly number[] }) {
  const words = useWords().roster;
  const { planner, mayPlan } = useRoster();
  const { teams } = planner.draft;
  const [open, setOpen] = useState<Team>();
  const nextId = Math.max(0, ...teams.map(({ id }) => id)) + 1;
  return (
    <Card title={words.teams} note={words.callingOrder}>
      <div className="in">
        {teams.length > 0 && (
          <table className="tbl tight wrap">
            <thead>
              <tr>
                <th scope="col">{words.team}</th>
                <th scope="col">{words.people}</th>
                <th scope="col">{words.reachable}</th>
                <th scope="col" className="n">
                  {words.hours}
                </th>
              </tr>
            </thead>
            <tbody>
              {teams.map((team) => (
                <TeamRow key={team.id} team={team} days={days} onOpen={setOpen} />
              ))}
            </tbody>
          </table>
        )}
        {mayPlan && (
          <Button
            label={words.newTeam}
            icon="plus"
            kind="sm ghost noprint"
            onClick={() => setOpen({ id: nextId, name: '', userIds: [] })}
          />
        )}
      </div>
      {open && <TeamDialog team={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

type RowProps = {
  readonly team: Team;
  readonly days: readonly number[];
  readonly onOpen: (team: Team) => void;
};

function TeamRow({ team, days, onOpen }: RowProps) {
  const words = useWords().roster;
  const names = useNames();
  const { roster, zone, people, mayPlan } = useRoster();
  const duties = dutiesOf(roster, zone, days[0] ?? 0, (days.at(-1) ?? 0) + 1);
  const ms = duties
    .filter(({ teamIds }) => teamIds.includes(team.id))
    .reduce((sum, { startsAt, endsAt }) => sum + endsAt.getTime() - startsAt.getTime(), 0);
  const callable = team.userIds.filter(canBeCalled(people));
  const missing = team.userIds.filter((id) => !callable.includes(id));
  return (
    <tr>
      <th scope="row">
        <i className={`sw ${names.pattern(team.id)}`} />
        {mayPlan ? (
          <button type="button" className="lnk" onClick={() => onOpen(team)}>
            {team.name}
          </button>
        ) : (
          team.name
        )}
      </th>
      <td>{team.userIds.map(names.person).join(', ') || words.empty}</td>
      <td>
        {missing.length === 0 ? (
          words.allReachable(callable.length, team.userIds.length)
        ) : (
          <b>{words.unreachable(missing.map(names.firstName).join(', '))}</b>
        )}
      </td>
      <td className="n">{words.inHours(Math.round(ms / 3_600_000))}</td>
    </tr>
  );
}
