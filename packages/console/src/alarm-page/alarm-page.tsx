import { getRouteApi } from '@tanstack/react-router';
import type { AlarmDetail } from '@tocsin/contract';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { ActionBar } from '../alarms/actions/action-bar.tsx';
import { type Actions, useActions } from '../alarms/actions/use-actions.ts';
import { type AlarmRow, toRow } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import type { DialogKind } from '../alarms/dialogs/dialog-props.ts';
import { Dialogs } from '../alarms/dialogs/dialogs.tsx';
import { Button } from '../frame/button.tsx';
import { isTyped, keyOf } from '../keys/key-of.ts';
import { useSingleKeys } from '../keys/single-keys.tsx';
import { useIsOnline } from '../services/use-live.ts';
import { useMay } from '../services/use-may.ts';
import { useSound } from '../sound/sound-context.tsx';
import { useWords } from '../words/use-words.ts';
import { AlarmFacts } from './alarm-facts.tsx';
import { useAlarmVersion, useContextOf, useDetail } from './alarm-queries.ts';
import { Crumbs } from './crumbs.tsx';
import { WhatIfDialog } from './what-if-dialog.tsx';

const route = getRouteApi('/desk/alarms/$id');

/** One alarm: what to do, what happened, who was called and who is next. */
export function AlarmPage() {
  const id = Number(route.useParams().id);
  const words = useWords().alarm;
  const isNumber = Number.isSafeInteger(id) && id > 0;
  const version = useAlarmVersion(id);
  const { data: detail, isError } = useDetail(isNumber ? id : 0, version);
  const live = useAlarms().byId.get(id);
  const context = useContextOf(id, isNumber && live === undefined && detail !== undefined);
  const row = useMemo(() => live ?? (detail && toRow(detail, context)), [live, detail, context]);
  if (!isNumber || (isError && !row))
    return (
      <main className="work wide">
        <p className="empty">{words.unknown}</p>
      </main>
    );
  if (!row) return <main className="alarmpage" />;
  return <Shown key={id} row={row} detail={detail} version={version} />;
}

type Props = { readonly row: AlarmRow; readonly detail: AlarmDetail | undefined; readonly version: string };

function Shown({ row, detail, version }: Props) {
  const words = useWords();
  const actions = useActions();
  const sound = useSound();
  const may = useMay();
  const main = useRef<HTMLElement>(null);
  const [dialog, setDialog] = useState<DialogKind | 'what-if'>();
  useEffect(() => main.current?.focus(), []);
  const { id } = row.alarm;
  const acknowledge = () => void actions.acknowledge([id]);
  const onKeyDown = usePageKeys({ row, actions, acknowledge, setDialog });
  return (
    <>
      <main className="alarmpage" ref={main} tabIndex={-1} onKeyDown={onKeyDown}>
        <Crumbs row={row} />
        <AlarmFacts row={row} detail={detail} version={version} />
        <div className="acts">
          <ActionBar
            rows={[row]}
            actions={actions}
            onAcknowledge={acknowledge}
            onDialog={setDialog}
            what={words.alarm.standing[row.state]}
          >
            {may.has('calls:read') && (
              <Button
                label={words.whatIf.open}
                icon="route"
                hint="W"
                kind="ghost"
                onClick={() => setDialog('what-if')}
              />
            )}
            <Button label={words.actions.silence} icon="bell-off" hint="M" onClick={sound.silence} />
          </ActionBar>
        </div>
      </main>
      {dialog === 'what-if' ? (
        <WhatIfDialog alarmId={id} onClose={() => setDialog(undefined)} />
      ) : (
        <Dialogs kind={dialog} rows={[row]} actions={actions} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

type KeyProps = {
  readonly row: AlarmRow;
  readonly actions: Actions;
  readonly acknowledge: () => void;
  readonly setDialog: (kind: DialogKind | 'what-if') => void;
};

/** The keys of the page. */
function usePageKeys({ row, actions, acknowledge, setDialog }: KeyProps): (event: KeyboardEvent) => void {
  const { silence } = useSound();
  const permissions = useMay();
  // Without a connection nothing can be done.
  const may = useIsOnline() ? permissions : new Set<string>();
  const isSingle = useSingleKeys();
  const keys: Record<string, () => void> = {
    a: () => may.has('alarms:act') && acknowledge(),
    m: silence,
    s: () => may.has('alarms:mask') && row.state !== 'mask' && setDialog('mask'),
    c: () => may.has('alarms:act') && setDialog('comment'),
    u: () => may.has('alarms:mask') && row.state === 'mask' && void actions.unmask([row.alarm.id]),
    r: () => may.has('alarms:act') && (row.state === 'new' || row.state === 'ack') && setDialog('reset'),
    k: () => may.has('calls:start') && setDialog('call'),
    w: () => may.has('calls:read') && setDialog('what-if'),
  };
  return (event) => {
    const key = keyOf(event.nativeEvent, isSingle);
    const act = key === undefined ? undefined : keys[key];
    if (!act || isTyped(event.nativeEvent)) return;
    event.preventDefault();
    act();
  };
}
