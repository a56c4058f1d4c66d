import { useState } from 'react';
import { mediumName } from '../alarm-page/describe-step.ts';
import { type PlannedCall, planned } from '../alarm-page/planned-calls.ts';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Icon } from '../symbols/icon.tsx';
import { currentTime } from '../time/current-time.ts';
import { shortDuration } from '../time/durations.ts';
import { fromLocal, toLocal } from '../time/local-time.ts';
import { useWords } from '../words/use-words.ts';
import { useNames } from './names.ts';
import { dutyAt } from './planning/shifts.ts';
import { useRoster } from './roster-context.ts';
import { useGroupPreview } from './roster-queries.ts';

/** Who is on duty at any instant, and who would be called then. */
export function WhatIfPanel() {
  const all = useWords();
  const words = all.roster;
  const { planner, zone } = useRoster();
  const [time, setTime] = useState(() => toLocal(currentTime(), zone));
  const at = fromLocal(time, zone);
  const asked = {
    callGroupId: planner.base.group.id,
    at: at === undefined ? '' : new Date(at).toISOString(),
  };
  return (
    <aside className="panel what" aria-label={words.whatIf}>
      <div className="scroll">
        <section className="ask">
          <h2>
            <span>{words.whatIf}</span>
            <ApiCallButton call={{ method: 'POST', path: '/call/preview', body: asked }} of={words.whatIf} />
          </h2>
          <label className="fld">
            <span>{words.whatIfAt}</span>
            <span className="input tall">
              <input
                type="datetime-local"
                value={time}
                required
                onChange={({ target }) => setTime(target.value)}
              />
            </span>
          </label>
          <p className="fine2">
            <Icon name="phone-off" size={14} />
            <span>{all.whatIf.nobodyCalled}</span>
          </p>
        </section>
        {at !== undefined && <OnDutyThen at={at} />}
        {at !== undefined && <Ladder at={asked.at} />}
      </div>
    </aside>
  );
}

function OnDutyThen({ at }: { readonly at: number }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, roster, zone } = useRoster();
  const duty = dutyAt(roster, zone, at);
  if (!duty) return null;
  const teams = duty.teamIds.map(names.team).join(', ');
  return (
    <section>
      <h3>
        {planner.count > 0 ? words.withChanges : words.onDuty}{' '}
        <small>{[teams, words.reasons[duty.why]].filter((part) => part !== '').join(', ')}</small>
      </h3>
      <p>
        <b>{duty.userIds.map(names.person).join(', ') || words.nobody}</b>
        {duty.userIds.length > 0 && ` ${words.until(names.dateClock(duty.endsAt.getTime()))}`}
      </p>
    </section>
  );
}

const mostSteps = 14;

/** The calls of the published plan if nobody answers. */
function Ladder({ at }: { readonly at: string }) {
  const words = useWords();
  const { planner } = useRoster();
  const { id, lastChange } = planner.base.group;
  const preview = useGroupPreview({ callGroupId: id, at, version: lastChange });
  const calls = planned(preview?.calls ?? []).slice(0, mostSteps);
  const [first] = calls;
  if (!preview) return null;
  return (
    <section className="ladder-s">
      <h3>{planner.count > 0 ? words.roster.calledPublished : words.roster.called}</h3>
      {preview.reason !== '' && <p role="status">{words.whatIf.reason(preview.reason)}</p>}
      <ol className="ladder">
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same person may be called again at the same second.
          <Rung key={index} call={call} since={first?.at ?? call.at} />
        ))}
      </ol>
    </section>
  );
}

function Rung({ call, since }: { readonly call: PlannedCall; readonly since: number }) {
  const words = useWords();
  const names = useNames();
  const { role, callGroup, attempt } = call;
  const how = [
    mediumName(call.medium, words),
    attempt > 1 ? words.alarm.attempt(attempt) : '',
    role === 'first' ? '' : callGroup,
  ]
    .filter((part) => part !== '')
    .join(', ');
  return (
    <li>
      <span className="lt">
        <b>{shortDuration(call.at - since)}</b>
        <small>{names.clock(call.at)}</small>
      </span>
      <span className="dotc" />
      <span className="lw">
        <b>{call.user}</b>
        <small>
          {how}
          {!call.hasChannel && `, ${words.alarm.noChannel}`}
        </small>
      </span>
    </li>
  );
}
