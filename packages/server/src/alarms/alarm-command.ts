import type { RaiseAlarm } from '@tocsin/contract';
import type { AuditDraft } from '../audit/audit-entry.ts';
import type { RequestMark } from '../http/idempotency.store.ts';
import type { Binding } from '../http/principal.ts';

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
  /** Whether it may change the definition of tags that others created. */
  mayDefine?: boolean;
  /** Whether it may reset alarms that others raised. */
  mayAct?: boolean;
  /** Whose tags it may define besides; absent: those that it created under its own subject. */
  tagOwner?: string | undefined;
  /** The places that it may act on; absent means all. */
  binding?: Binding | undefined;
};

/** The subject under which tags remember the actor as their creator. */
export function tagOwnerOf({ tagOwner, subject }: Actor): string {
  return tagOwner ?? subject;
}

/** The subject of the server itself. */
const serverSubject = 'server';

/** The server acting by itself, when a mask runs out. */
export const serverItself: Actor = {
  name: '',
  subject: serverSubject,
  userId: undefined,
  stationIds: undefined,
};

/** Who acts, as the journal keeps it: by kind and number, as the audit trail does. */
export function actorIdOf({ subject }: Pick<Actor, 'subject'>): string {
  return subject === serverSubject ? 'system' : subject;
}

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
  /** Nobody is called any more for the occurrence, although nobody has taken it. */
  | { kind: 'silence'; reason: string }
  | { kind: 'end-mask' };

type Given = {
  actor: Actor;
  /** Present when the request may be repeated and must then be answered the same. */
  mark?: RequestMark | undefined;
  /** Present when the audit trail is told of it; how the alarm stood before and after is filled in. */
  audit?: AuditDraft | undefined;
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
