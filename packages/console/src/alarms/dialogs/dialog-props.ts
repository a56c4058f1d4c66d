import type { Actions } from '../actions/use-actions.ts';
import type { AlarmRow } from '../alarm-row.ts';

/** `acknowledge` asks before all visible alarms are acknowledged at once; one alarm needs no question. */
export type DialogKind = 'mask' | 'comment' | 'call' | 'reset' | 'acknowledge';

/** What a dialog about alarms gets. */
export type DialogProps = {
  readonly rows: readonly AlarmRow[];
  readonly actions: Actions;
  readonly onClose: () => void;
};

const needs = {
  mask: 'alarms:mask',
  comment: 'alarms:act',
  call: 'calls:start',
  reset: 'alarms:act',
  acknowledge: 'alarms:act',
} as const;

/** The permission that the action of a dialog needs. */
export const needsOf = (kind: DialogKind): (typeof needs)[DialogKind] => needs[kind];
