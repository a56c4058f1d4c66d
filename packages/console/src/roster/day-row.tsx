import { type KeyboardEvent, useState } from 'react';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { HolidayButton } from './dialogs/holiday-button.tsx';
import { ShiftDialog } from './dialogs/shift-dialog.tsx';
import { standIn, useNames } from './names.ts';
import { canBeCalled } from './planning/can-be-called.ts';
import { dayAt, hoursOf, instantOf, lanesOf, minuteAt, type Span, slotsOn, spanOn } from './planning/days.ts';
import { remove, type Slot } from './planning/draft.ts';
import { clockOf } from './planning/roster-of.ts';
import { type Gap, gapsIn } from './planning/shifts.ts';
import { useRoster } from './roster-context.ts';
import type { Dropped } from './use-drag.ts';

type Props = {
  readonly day: number;
  readonly isToday: boolean;
  readonly ghost: Dropped | undefined;
  readonly onDrop: (dropped: Dropped) => void;
};

const lastMinute = 1_440;

/** Where a part of the day is drawn. Narrow screens show lines instead, and do not use it. */
const placed = ({ from, to }: Span, extra: object = {}) =>
  ({ '--from': from / lastMinute, '--length': (to - from) / lastMinute, ...extra }) as React.CSSProperties;

export function DayRow({ day, isToday, ghost, onDrop }: Props) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, roster, zone, people } = useRoster();
  const { draft } = planner;
  const hours = hoursOf(day, zone);
  const period = { from: instantOf(day, 0, zone), to: instantOf(day + 1, 0, zone) };
  const hasRoster = draft.slots.length + planner.planned.roster.overrides.length > 0;
  const gaps = hasRoster ? gapsIn(roster, zone, period, canBeCalled(people)) : [];
  return (
    <div className={isToday ? 'day today' : 'day'} role="group" aria-label={names.longDay(day)}>
      <span className="dn">
        <b>{names.weekday(day)}</b> {names.dayOfMonth(day)}
        {hours !== 24 && <small>{words.dayHours(hours)}</small>}
        <HolidayButton day={day} />
      </span>
      <div className="track">
        {lanesOf(slotsOn(draft, day)).map(({ slot, lane, lanes }) => (
          <SlotButton
            key={`${slot.teamId} ${slot.from}`}
            day={day}
            slot={slot}
            lane={lane / lanes}
            height={1 / lanes}
            onDrop={onDrop}
          />
        ))}
        <Overrides day={day} />
        {gaps.map((gap) => (
          <GapMark key={gap.from} gap={gap} day={day} />
        ))}
        {ghost?.day === day && (
          <span className="dropping" style={placed(ghost)}>
            {clockOf(ghost.from)}–{clockOf(ghost.to)}
          </span>
        )}
        {isToday && <NowMark day={day} />}
      </div>
    </div>
  );
}

function NowMark({ day }: { readonly day: number }) {
  const { zone } = useRoster();
  const now = useNow();
  if (dayAt(now, zone) !== day) return null;
  const from = minuteAt(now, zone);
  return <span className="nowmark" style={placed({ from, to: from })} />;
}

function GapMark({ gap, day }: { readonly gap: Gap; readonly day: number }) {
  const words = useWords().roster;
  const { zone } = useRoster();
  const span = spanOn(gap, day, zone);
  if (!span) return null;
  return (
    <span className="gap" style={placed(span)}>
      <AlarmSymbol priority={3} state="ack" size={18} named={false} />
      <time>
        {clockOf(Math.floor(span.from))}–{clockOf(Math.floor(span.to))}
      </time>
      <span className="gaptext">{words.nobody}</span>
    </span>
  );
}

type SlotProps = {
  readonly day: number;
  readonly slot: Slot;
  readonly lane: number;
  readonly height: number;
  readonly onDrop: (dropped: Dropped) => void;
};

/** What a key does to a slot; undefined if it does nothing. */
function moved(event: KeyboardEvent, slot: Slot, day: number, step: number): Dropped | undefined {
  const sideways = { ArrowLeft: -step, ArrowRight: step }[event.key];
  const days = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const { from, to } = slot;
  if (sideways !== undefined && event.shiftKey)
    return to + sideways > from && to + sideways <= lastMinute
      ? { slot, day, from, to: to + sideways }
      : undefined;
  if (sideways !== undefined)
    return from + sideways >= 0 && to + sideways <= lastMinute
      ? { slot, day, from: from + sideways, to: to + sideways }
      : undefined;
  return days === undefined ? undefined : { slot, day: day + days, from, to };
}

function SlotButton({ day, slot, lane, height, onDrop }: SlotProps) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, zone, mayPlan } = useRoster();
  const [isOpen, setIsOpen] = useState(false);
  const { teamId, from, to } = slot;
  const who = names.peopleOf(teamId).map(names.firstName).join(', ');
  const onKeyDown = (event: KeyboardEvent) => {
    if (!mayPlan) return;
    if (event.key === 'Delete') planner.edit(remove(planner.draft, slot));
    const next = moved(event, slot, day, planner.draft.slotMinutes);
    if (event.key.startsWith('Arrow')) event.preventDefault();
    if (next) onDrop(next);
  };
  return (
    <>
      <button
        type="button"
        className={`slot ${names.pattern(teamId)} ${to - from < 180 ? 'short' : ''}`.trim()}
        data-slot={`${day} ${from}`}
        style={placed(slot, { '--lane': lane, '--height': height })}
        onKeyDown={onKeyDown}
        onClick={() => setIsOpen(true)}
      >
        <span className="vh">
          {words.slotName(names.team(teamId), names.longDay(day), clockOf(from), clockOf(to))}
        </span>
        <time aria-hidden="true">
          {clockOf(from)}–{clockOf(to)}
        </time>
        <b aria-hidden="true">{names.letter(teamId)}</b>
        <span aria-hidden="true">{who}</span>
      </button>
      {isOpen && (
        <ShiftDialog
          shift={{ from: instantOf(day, from, zone), to: instantOf(day, to, zone), teamId }}
          slot={slot}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function Overrides({ day }: { readonly day: number }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, zone } = useRoster();
  const [open, setOpen] = useState<number>();
  const { overrides } = planner.base.group.roster;
  return overrides.map((override, index) => {
    const period = { from: Date.parse(override.from), to: Date.parse(override.to) };
    const span = spanOn(period, day, zone);
    if (!span) return null;
    const who = standIn(override, names);
    const pattern = override.userId ? '' : names.pattern(override.teamId ?? 0);
    const label = words.overrideName(who, names.dateClock(period.from), names.dateClock(period.to));
    const { replacesUserId: replaced = 0, reason = '' } = override;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: overrides have no numbers; their order decides.
      <span key={index} className="ovrbox">
        <button
          type="button"
          className={`ovr ${pattern} ${replaced ? 'one' : ''}`}
          style={placed(span)}
          onClick={() => setOpen(index)}
        >
          <span className="vh">
            {replaced ? `${label}, ${words.insteadOf(names.person(replaced))}` : label}
          </span>
          <time aria-hidden="true">
            {clockOf(Math.floor(span.from))}–{clockOf(Math.floor(span.to))}
          </time>
          <b aria-hidden="true">{override.userId ? who : names.letter(override.teamId ?? 0)}</b>
          <span aria-hidden="true">
            {[replaced ? words.insteadOf(names.firstName(replaced)) : '', reason].filter(Boolean).join(', ')}
          </span>
        </button>
        {open === index && <ShiftDialog shift={period} override={index} onClose={() => setOpen(undefined)} />}
      </span>
    );
  });
}
