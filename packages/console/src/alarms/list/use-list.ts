import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { keyOf } from '../../keys/key-of.ts';
import { useSingleKeys } from '../../keys/single-keys.tsx';
import { useMeta } from '../../services/queries.ts';
import { useIsOnline } from '../../services/use-live.ts';
import { useSound } from '../../sound/sound-context.tsx';
import { useActions } from '../actions/use-actions.ts';
import { type AlarmRow, isWaiting } from '../alarm-row.ts';
import { useAlarms } from '../alarms-context.tsx';
import { type DialogKind, needsOf } from '../dialogs/dialog-props.ts';
import { actOf, type ListActs } from './list-keys.ts';
import { useFocusOfLostRow, useSelection } from './use-selection.ts';
import { useStillRows } from './use-still-rows.ts';

const lingerMs = 200;

export type Picked = 'focus' | 'toggle' | 'open';

type Options = {
  readonly key: string;
  /** Keys that only some lists have. */
  readonly find?: (() => void) | undefined;
  readonly flood?: (() => void) | undefined;
  readonly mayFreeze?: boolean;
};

/** A dialog and the alarms that it is about. */
type Asked = { readonly kind: DialogKind; readonly rows: readonly AlarmRow[] };

/** The permissions that count now: without a connection nothing can be done. */
function useCan(): (permission: string) => boolean {
  const isOnline = useIsOnline();
  const permissions = new Set<string>(useMeta()?.user.permissions);
  return (permission) => isOnline && permissions.has(permission);
}

/** True, and for a moment after: the focus leaves the list when a dialog opens, and is back a moment after it closes. */
function useLinger(isTrue: boolean): boolean {
  const [isLingering, setIsLingering] = useState(isTrue);
  useEffect(() => {
    if (isTrue) return setIsLingering(true);
    const timer = setTimeout(() => setIsLingering(false), lingerMs);
    return () => clearTimeout(timer);
  }, [isTrue]);
  return isTrue || isLingering;
}

/** Runs the action of a key. */
function useActKeys(acts: ListActs): (event: KeyboardEvent) => void {
  const isSingle = useSingleKeys();
  return (event) => {
    const act = actOf(keyOf(event.nativeEvent, isSingle), acts);
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** Gives a row the focus, ticks it, or opens its page. It stays the same function, so that rows are not drawn again. */
function usePick(focus: (id: number) => void, toggle: (id: number) => void) {
  const navigate = useNavigate();
  return useCallback(
    (id: number, how: Picked) => {
      if (how === 'open') void navigate({ to: '/alarms/$id', params: { id: String(id) } });
      if (how === 'toggle') toggle(id);
      focus(id);
    },
    [navigate, focus, toggle],
  );
}

/** A list of alarms: what is shown, focused and ticked, and what the keys and buttons do with it. */
export function useList(sorted: readonly AlarmRow[], { key, find, flood, mayFreeze }: Options) {
  const { byId } = useAlarms();
  const actions = useActions();
  const { silence } = useSound();
  const can = useCan();
  const [isReading, setIsReading] = useState(false);
  const [isFrozen, setIsFrozen] = useState(false);
  const [dialog, setDialog] = useState<Asked>();
  const visible = useRef<() => readonly AlarmRow[]>(() => []);
  const { focused, selected, targets, focus, toggle, select } = useSelection();
  const isStill = useLinger(isReading || isFrozen || dialog !== undefined);
  const { shown, held, release } = useStillRows(sorted, { isStill, key, current: byId });
  useFocusOfLostRow(shown, focused, focus);
  const rows = targets.flatMap((id) => byId.get(id) ?? []);

  const ask = (kind: DialogKind) => {
    const about = kind === 'acknowledge' ? visible.current().filter(isWaiting) : rows;
    if (about.length > 0 && can(needsOf(kind))) setDialog({ kind, rows: about });
  };
  const acknowledge = () => {
    if (can('alarms:act') && targets.length > 0)
      void actions.acknowledge(targets).then((done) => done && select([]));
  };
  const masked = rows.filter(({ state }) => state === 'mask').map(({ alarm }) => alarm.id);
  const unmask = () => void (can('alarms:mask') && masked.length > 0 && actions.unmask(masked));
  const freeze = useCallback(() => setIsFrozen((before) => !before), []);
  const escape = () => (selected.size > 0 ? select([]) : focus(undefined));
  const acts = { acknowledge, silence, release, unmask, escape, ask, find, flood };
  const onKey = useActKeys({ ...acts, ...(mayFreeze && { freeze }) });
  return {
    shown,
    held,
    rows,
    focused,
    selected,
    isFrozen,
    actions,
    ask,
    acknowledge,
    freeze,
    focus,
    release,
    /** For the list itself. */
    list: {
      rows: shown,
      focused,
      selected,
      visible,
      onPick: usePick(focus, toggle),
      onSelectAll: () => select(selected.size === shown.length ? [] : shown.map(({ alarm }) => alarm.id)),
      onKey,
      onReading: setIsReading,
    },
    /** For the dialog that is open, if any. */
    dialogs: { kind: dialog?.kind, rows: dialog?.rows ?? [], actions, onClose: () => setDialog(undefined) },
  };
}
