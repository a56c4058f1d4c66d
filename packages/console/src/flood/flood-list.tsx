import { useMemo } from 'react';
import { ActionBar } from '../alarms/actions/action-bar.tsx';
import type { Actions } from '../alarms/actions/use-actions.ts';
import { type AlarmRow, isWaiting } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { Dialogs } from '../alarms/dialogs/dialogs.tsx';
import { AlarmList } from '../alarms/list/alarm-list.tsx';
import { HeldBar } from '../alarms/list/list-bars.tsx';
import { useList } from '../alarms/list/use-list.ts';
import { Button } from '../frame/button.tsx';
import { useIsOnline } from '../services/use-live.ts';
import { useWords } from '../words/use-words.ts';
import type { FloodEvent } from './lanes.ts';

type Props = {
  readonly events: readonly FloodEvent[];
  /** The area that is chosen; undefined for all. */
  readonly area: string | undefined;
  readonly onAll: () => void;
};

/** The alarms of the chosen area that are still current, in order of arrival. */
export function FloodList({ events, area, onAll }: Props) {
  const { byId } = useAlarms();
  const chosen = useMemo(
    () => (area === undefined ? events : events.filter((event) => event.area.key === area)),
    [events, area],
  );
  const sorted = useMemo(
    () => chosen.flatMap(({ id, state }) => (state === 'over' ? [] : (byId.get(id) ?? []))),
    [chosen, byId],
  );
  const list = useList(sorted, { key: area ?? '' });
  const { actions, held, release } = list;
  return (
    <div className="listcol floodlist">
      <ListHead
        name={chosen[0]?.area.name}
        area={area}
        shown={chosen.length}
        all={events.length}
        {...{ rows: sorted, actions, onAll }}
      />
      <div className="grid">
        <HeldBar held={mostUrgentFirst(held)} onRelease={release} />
        <AlarmList {...list.list} firstOut={events[0]?.id} />
      </div>
      <ActionBar
        rows={list.rows}
        actions={actions}
        callKey="⇧K"
        onAcknowledge={list.acknowledge}
        onDialog={list.ask}
      />
      <Dialogs {...list.dialogs} />
    </div>
  );
}

/** The bar names the priority of the first one; this list is in order of arrival. */
const mostUrgentFirst = (rows: readonly AlarmRow[]) => rows.toSorted((a, b) => a.priority - b.priority);

type HeadProps = Pick<Props, 'area' | 'onAll'> & {
  readonly name: string | undefined;
  readonly shown: number;
  readonly all: number;
  readonly rows: readonly AlarmRow[];
  readonly actions: Actions;
};

function ListHead({ name, area, shown, all, rows, actions, onAll }: HeadProps) {
  const words = useWords();
  const isOnline = useIsOnline();
  const waiting = rows.filter(isWaiting).map(({ alarm }) => alarm.id);
  return (
    <div className="views">
      <span className="view" aria-current="true">
        {area === undefined ? words.flood.everyArea : name} <i>{words.list.count(shown, all)}</i>
      </span>
      <span className="view">{words.flood.inOrder}</span>
      <span className="tools">
        <span className="muted">{words.flood.waiting(waiting.length)}</span>
        {area !== undefined && waiting.length > 0 && (
          <Button
            label={words.flood.acknowledge(waiting.length)}
            icon="check"
            kind="sm"
            disabled={!isOnline}
            onClick={() => void actions.acknowledge(waiting)}
          />
        )}
        {area !== undefined && (
          <Button label={words.flood.everyArea} icon="x" kind="sm ghost" onClick={onAll} />
        )}
      </span>
    </div>
  );
}
