import { Button } from '../../frame/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { standIn, useNames } from '../names.ts';
import { useRoster } from '../roster-context.ts';
import { Consequence, type Period } from './consequence.tsx';
import { Choice, TimeFields } from './time-fields.tsx';
import { useStandIn, useStandIns } from './use-stand-in.ts';

type Props = { readonly shift: Period; readonly onDone: () => void };

/** Who stands in, for whom and when. The user stands in with one press. */
export function StandInPart({ shift, onDone }: Props) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, mayPlan, self } = useRoster();
  const { form, replaceable, change, override } = useStandIn(shift);
  const choices = useStandIns();
  if (self === undefined && !mayPlan) return <p>{words.operatorsTake}</p>;
  const save = async () => {
    if (override && (await planner.addOverride(override))) onDone();
  };
  const isOther = override !== undefined && override.userId !== self;
  return (
    <section className="part">
      <h3>{words.thisTime}</h3>
      <div className="pair">
        <Choice
          label={words.standsIn}
          value={form.who}
          choices={choices}
          onChange={(who) => change({ who })}
        />
        <Choice
          label={words.instead}
          value={form.replaces}
          choices={[
            ...replaceable.map((user) => [String(user), names.person(user)] as const),
            ['0', words.everybody],
          ]}
          onChange={(replaces) => change({ replaces })}
        />
      </div>
      <TimeFields from={form.from} to={form.to} onChange={(from, to) => change({ from, to })} />
      <label className="fld">
        <span>{words.reason}</span>
        <span className="input tall">
          <input
            value={form.reason}
            maxLength={200}
            onChange={({ target }) => change({ reason: target.value })}
          />
        </span>
      </label>
      {override && <Consequence overrides={[override]} />}
      <span className="partact">
        <Button
          label={isOther ? words.letStandIn(standIn(override, names)) : words.iTakeOver}
          icon="phone-incoming"
          kind="primary"
          data-first
          disabled={!override}
          onClick={() => void save()}
        />
      </span>
    </section>
  );
}
