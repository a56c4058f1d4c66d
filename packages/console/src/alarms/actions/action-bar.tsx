import type { Meta } from '@tocsin/contract';
import type { ReactNode } from 'react';
import { Button } from '../../frame/button.tsx';
import { useMeta } from '../../services/queries.ts';
import { useIsOnline } from '../../services/use-live.ts';
import type { IconName } from '../../symbols/icon-names.ts';
import { useWords } from '../../words/use-words.ts';
import type { AlarmRow } from '../alarm-row.ts';
import { type DialogKind, needsOf } from '../dialogs/dialog-props.ts';
import type { Actions } from './use-actions.ts';

type Props = {
  readonly rows: readonly AlarmRow[];
  readonly actions: Actions;
  readonly onAcknowledge: () => void;
  readonly onDialog: (kind: DialogKind) => void;
  /** What stands at the left instead of the selection. */
  readonly what?: { readonly title: string; readonly hint: string };
  /** Further buttons, before those of every page. */
  readonly children?: ReactNode;
  /** The key that calls; in lists K alone moves up. */
  readonly callKey?: string;
};

type Act = {
  readonly slot: 'call' | 'comment' | 'reset' | 'mask' | 'acknowledge';
  readonly label: string;
  readonly icon: IconName;
  readonly hint?: string;
  readonly needs: Meta['user']['permissions'][number];
  readonly isPrimary?: boolean;
  readonly run: () => void;
};

const isActive = ({ state }: AlarmRow) => state === 'new' || state === 'ack';

/** The actions in the order of their buttons: Acknowledge last, always at the same place. */
function useActs({ rows, actions, onAcknowledge, onDialog, callKey = 'K' }: Props): readonly Act[] {
  const words = useWords().actions;
  const ids = rows.map(({ alarm }) => alarm.id);
  const isMasked = rows.length > 0 && rows.every(({ state }) => state === 'mask');
  const act = (
    slot: Act['slot'],
    label: string,
    icon: IconName,
    rest: Pick<Act, 'run'> & Partial<Act>,
  ): Act => ({ slot, label, icon, needs: needsOf(slot), ...rest });
  const ask = (kind: DialogKind) => () => onDialog(kind);
  return [
    act('call', words.call, 'phone', { hint: callKey, run: ask('call') }),
    act('comment', words.comment, 'message-square', { hint: 'C', run: ask('comment') }),
    ...(rows.length > 0 && rows.every(isActive)
      ? [act('reset', `${words.reset}…`, 'rotate-cw', { hint: 'R', run: ask('reset') })]
      : []),
    isMasked
      ? act('mask', words.unmask, 'undo-2', { hint: 'U', run: () => void actions.unmask(ids) })
      : act('mask', words.mask, 'eye-off', { hint: 'S', run: ask('mask') }),
    act('acknowledge', words.acknowledge, 'check', { hint: 'A', isPrimary: true, run: onAcknowledge }),
  ];
}

/** What can be done with the selection. Without a connection nothing can, and the bar says so. */
export function ActionBar(props: Props) {
  const { rows, actions, what, children } = props;
  const words = useWords();
  const isOnline = useIsOnline();
  const may = new Set<string>(useMeta()?.user.permissions);
  const acts = useActs(props).filter(({ needs }) => may.has(needs));
  const isReady = isOnline && rows.length > 0;
  return (
    <div>
      {actions.failure !== undefined && (
        <div className="failure" role="alert">
          <span>{actions.failure}</span>
          <span className="fill" />
          <Button label={words.actions.dismiss} kind="sm" onClick={actions.dismiss} />
        </div>
      )}
      <div
        className={rows.length > 0 ? 'actionbar' : 'actionbar idle'}
        role="toolbar"
        aria-label={words.actions.label}
      >
        <What rows={rows} isOnline={isOnline} what={what} />
        {children}
        {acts.map(({ slot, label, icon, hint, isPrimary, run }) => (
          <Button
            key={slot}
            label={label}
            icon={icon}
            {...(hint !== undefined && { hint })}
            kind={isReady && isPrimary ? 'primary' : ''}
            disabled={!isReady}
            onClick={run}
          />
        ))}
      </div>
    </div>
  );
}

type WhatProps = Pick<Props, 'rows'> & {
  readonly what: Props['what'];
  readonly isOnline: boolean;
};

function What({ rows, what, isOnline }: WhatProps) {
  const words = useWords().list;
  const title = rows.length === 0 ? words.nothingSelected : words.selected(rows.length);
  const hint = what?.hint ?? rows[0]?.alarm.message ?? words.nothingSelectedHint;
  return (
    <span className="what">
      <b>{what?.title ?? title}</b>
      <small>{isOnline ? hint : words.wait}</small>
    </span>
  );
}
