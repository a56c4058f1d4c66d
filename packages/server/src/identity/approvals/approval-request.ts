import type { TwoPersonAction } from '@tocsin/contract';
import type { Permission } from '../../http/permissions.ts';

/** An action that waits for a second person, as data: it is checked again when it is approved. */
export type ApprovalRequest =
  | { readonly action: 'masks'; readonly alarmId: number; readonly reason: string; readonly seconds?: number }
  | { readonly action: 'keys'; readonly keyId: number }
  | {
      readonly action: 'commands';
      readonly rows: 'scenarios' | 'taggroups';
      /** Absent: a new object. */
      readonly id?: number;
      /** Of the object when the change was asked for: it must not have changed since. */
      readonly version?: number;
      readonly body: unknown;
    };

/** The permission that both people need. */
export const permissionFor: Readonly<Record<TwoPersonAction, Permission>> = {
  commands: 'commands:run',
  masks: 'alarms:mask',
  keys: 'keys:write',
};

/** What is asked for, in words, and the station it concerns; null: the whole tenant. */
export type AskedAction = {
  readonly request: ApprovalRequest;
  readonly summary: string;
  readonly stationId: number | null;
};
