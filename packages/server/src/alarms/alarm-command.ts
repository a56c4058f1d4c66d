import type { RaiseAlarm } from '@tocsin/contract';
import type { RequestMark } from '../http/idempotency.store.ts';

/** Who gives a command, as far as alarms care. */
export type Actor = {
  name: string;
  /** Unique in the tenant: whose commands they are when many wait. */
  subject: string;
  /** Absent for machines and for the server itself. */
  userId: number | undefined;
  /** Stations it may act on; absent means all. */
  stationIds: readonly number[] | undefined;
  /** Whether a command that it defines is run. */
  mayRunCommands?: boolean;
};

/** The server acting by itself, when a mask runs out. */
export const serverItself: Actor = { name: '', subject: 'server', userId: undefined, stationIds: undefined };

/** What can be asked of the alarm of a tag that exists. */
export type TagOrder =
  | {
      kind: 'acknowledge';
      comment?: string | undefined;
      /** Set by whoever was called for this occurrence: he must not silence the next one. */
      occurrenceId?: number | undefined;
    }
  | { kind: 'reset'; comment?: string | undefined }
  | { kind: 'comment'; comment: string }
  | { kind: 'mask'; reason: string; seconds?: number | undefined }
  | { kind: 'unmask'; reason: string }
  | { kind: 'end-mask' };

type Given = {
  actor: Actor;
  /** Present when the request may be repeated and must then be answered the same. */
  mark?: RequestMark | undefined;
};

export type TagCommand = Given & TagOrder & { tagId: number };

/** Everything that can change an alarm. */
export type AlarmCommand = PostCommand | TagCommand;

export type PostCommand = Given & {
  kind: 'post';
  body: RaiseAlarm;
  /** Set when the path made up for a tag without one turned out to be taken. */
  pathTaken?: boolean;
};
