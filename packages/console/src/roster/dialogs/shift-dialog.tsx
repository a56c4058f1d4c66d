import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { dayAt } from '../planning/days.ts';
import type { Slot } from '../planning/draft.ts';
import { dutyAt } from '../planning/shifts.ts';
import { useRoster } from '../roster-context.ts';
import type { Period } from './consequence.tsx';
import { SlotEditor } from './slot-dialog.tsx';
import { StandInPart } from './stand-in-part.tsx';
import { SwapPart } from './swap-part.tsx';

type Props = {
  readonly shift: Period;
  /** The weekly slot that the shift is of. */
  readonly slot?: Slot;
  /** The place of an override that is open, in the list of the group. */
  readonly override?: number;
  readonly onClose: () => void;
};

/** One shift: somebody takes it over, stands in or swaps, this time only; or its slot is changed for every week. */
export function ShiftDialog({ shift, slot, override, onClose }: Props) {
  const words = useWords();
  const names = useNames();
  const { planner, roster, zone } = useRoster();
  const duty = dutyAt(roster, zone, shift.from);
  const people = (duty?.userIds ?? []).map(names.person).join(', ');
  const isOneDay = dayAt(shift.from, zone) === dayAt(shift.to, zone);
  const end = isOneDay ? names.clock(shift.to) : names.dateClock(shift.to);
  const title = (
    <>
      <Icon name="arrow-left-right" size={20} />
      <span>{words.roster.shiftTitle(names.dateClock(shift.from), end)}</span>
    </>
  );
  return (
    <Dialog title={title} kind="wide" onClose={onClose} onSubmit={() => undefined}>
      <p>{people === '' ? words.roster.nobodyThen : words.roster.onDutyThen(people)}</p>
      <StandInPart shift={shift} onDone={onClose} />
      {override === undefined ? (
        shift.teamId !== undefined && <SwapPart shift={shift} onDone={onClose} />
      ) : (
        <RemoveOverride index={override} onDone={onClose} />
      )}
      {slot && <SlotEditor slot={slot} onDone={onClose} />}
      {planner.failure !== undefined && (
        <p className="wrong" role="alert">
          {planner.failure}
        </p>
      )}
      <div className="dlgact">
        <small>{words.roster.atOnce}</small>
        <Button label={words.keys.close} kind="ghost" hint="Esc" onClick={onClose} />
      </div>
    </Dialog>
  );
}

function RemoveOverride({ index, onDone }: { readonly index: number; readonly onDone: () => void }) {
  const words = useWords().roster;
  const { planner, mayPlan } = useRoster();
  const { overrides } = planner.base.group.roster;
  if (!mayPlan) return null;
  const remove = async () => {
    if (await planner.setOverrides(overrides.filter((_, at) => at !== index))) onDone();
  };
  return (
    <section className="part">
      <h3>{words.thisOverride}</h3>
      <p>{words.removeLead}</p>
      <span className="partact">
        <Button label={words.removeOverride} icon="trash-2" onClick={() => void remove()} />
      </span>
    </section>
  );
}
