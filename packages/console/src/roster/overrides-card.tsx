import { useState } from 'react';
import { Card } from '../frame/card.tsx';
import { useWords } from '../words/use-words.ts';
import { ShiftDialog } from './dialogs/shift-dialog.tsx';
import { standIn, useNames } from './names.ts';
import { instantOf } from './planning/days.ts';
import { useRoster } from './roster-context.ts';
import { groupCall } from './roster-queries.ts';

/** The overrides of the time shown. */
export function OverridesCard({ days }: { readonly days: readonly number[] }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, zone } = useRoster();
  const [open, setOpen] = useState<number>();
  const { id, roster } = planner.base.group;
  const [from, to] = [instantOf(days[0] ?? 0, 0, zone), instantOf((days.at(-1) ?? 0) + 1, 0, zone)];
  const shown = roster.overrides
    .map((override, index) => ({
      override,
      index,
      period: { from: Date.parse(override.from), to: Date.parse(override.to) },
    }))
    .filter(({ period }) => period.from < to && period.to > from)
    .toSorted((one, other) => one.period.from - other.period.from);
  const opened = shown.find(({ index }) => index === open);
  return (
    <Card title={words.overrides} note={words.inThisTime} call={groupCall(id)}>
      <div className="in">
        {shown.length === 0 ? (
          <p className="muted">{words.noOverrides}</p>
        ) : (
          <table className="tbl tight wrap">
            <thead>
              <tr>
                <th scope="col">{words.when}</th>
                <th scope="col">{words.standsIn}</th>
                <th scope="col">{words.why}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ index, period, override }) => (
                <tr key={index}>
                  <th scope="row">
                    <button type="button" className="lnk" onClick={() => setOpen(index)}>
                      {words.fromTo(names.dayClock(period.from), names.dayClock(period.to))}
                    </button>
                  </th>
                  <td>
                    {standIn(override, names)}
                    {override.replacesUserId !== undefined &&
                      `, ${words.insteadOf(names.person(override.replacesUserId))}`}
                  </td>
                  <td>{override.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {opened && (
        <ShiftDialog shift={opened.period} override={opened.index} onClose={() => setOpen(undefined)} />
      )}
    </Card>
  );
}
