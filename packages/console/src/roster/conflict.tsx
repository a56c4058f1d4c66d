import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { useNames } from './names.ts';
import { type Draft, toDraft } from './planning/draft.ts';
import { clockOf } from './planning/roster-of.ts';
import { useRoster } from './roster-context.ts';
import type { Published } from './roster-queries.ts';

/** A Monday, to name the days of the week. */
const monday = 4;

/** Somebody else has published meanwhile: what differs, and the choice between the two plans. */
export function Conflict({ theirs }: { readonly theirs: Published }) {
  const words = useWords().roster;
  const { planner } = useRoster();
  const other = toDraft(theirs.group);
  return (
    <section className="conflict" role="alert">
      <h2>
        <Icon name="triangle-alert" size={16} />
        <span>{words.conflict}</span>
      </h2>
      <p>{words.conflictLead}</p>
      <dl>
        <Side name={words.theirs} draft={other} than={planner.draft} />
        <Side name={words.mine} draft={planner.draft} than={other} />
      </dl>
      <span className="conflictact">
        <Button label={words.takeTheirs} onClick={planner.takeTheirs} />
        <Button label={words.publishMine} kind="primary" onClick={() => void planner.publish()} />
      </span>
    </section>
  );
}

type SideProps = { readonly name: string; readonly draft: Draft; readonly than: Draft };

/** What only one of the two plans has. */
function Side({ name, draft, than }: SideProps) {
  const words = useWords().roster;
  const names = useNames();
  const known = new Set(than.slots.map((slot) => JSON.stringify(slot)));
  const slots = draft.slots
    .filter((slot) => !known.has(JSON.stringify(slot)))
    .map(
      ({ teamId, day, from, to }) =>
        `${names.weekday(monday + day - 1)} ${clockOf(from)}–${clockOf(to)} ${names.team(teamId)}`,
    );
  const holidays = draft.holidays
    .filter(({ date }) => !than.holidays.some((one) => one.date === date))
    .map(({ date }) => `${words.holiday} ${date}`);
  const teams = draft.teams
    .filter((team) => !than.teams.some((one) => JSON.stringify(one) === JSON.stringify(team)))
    .map((team) => team.name);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span>{[...slots, ...holidays, ...teams].join('\n') || words.nothingElse}</span>
      </dd>
    </div>
  );
}
