import type { RaiseAlarm } from '@tocsin/contract';
import type { AuditDraft } from '../../audit/audit-entry.ts';
import type { RequestMark } from '../../http/idempotency.store.ts';
import type { Binding } from '../../http/principal.ts';

/** The sender of a command. */
export type Actor = {
  name: string;
  /** Unique in the tenant; the limits of the queue are per subject. */
  subject: string;
  /** Absent for machines and for the server itself. */
  userId: number | undefined;
  /** Stations that the sender may act on; absent means all. */
  stationIds: readonly number[] | undefined;
  /** Whether commands that the sender defines are run. */
  mayRunCommands?: boolean;
  /** Whether the sender may change the definition of tags that others created. */
  mayDefine?: boolean;
  /** Whether the sender may reset alarms that others raised. */
  mayAct?: boolean;
  /** The subject whose tags the sender owns; absent means its own. */
  tagOwner?: string | undefined;
  /** The places that the sender may act on; absent means all. */
  binding?: Binding | undefined;
};

/** The subject that is stored as the creator of the actor's tags. */
export function tagOwnerOf({ tagOwner, subject }: Actor): string {
  return tagOwner ?? subject;
}

/** The subject of the server itself. */
const serverSubject = 'server';

/** The actor of changes that the server makes, such as the end of a mask. */
export const serverItself: Actor = {
  name: '',
  subject: serverSubject,
  userId: undefined,
  stationIds: undefined,
};

/** The actor as the journal and the audit trail name it: kind and number. */
export function actorIdOf({ subject }: Pick<Actor, 'subject'>): string {
  return subject === serverSubject ? 'system' : subject;
}

/** A change to the alarm of an existing tag. */
export type TagOrder =
  | {
      kind: 'acknowledge';
      comment?: string | undefined;
      /** The occurrence that the user was called for: the command must not acknowledge a later one. */
      occurrenceId?: number | undefined;
    }
  | { kind: 'reset'; comment?: string | undefined }
  | { kind: 'comment'; comment: string }
  | { kind: 'mask'; reason: string; seconds?: number | undefined }
  | { kind: 'unmask'; reason: string }
  /** Stops the calls for an occurrence that is not acknowledged. */
  | { kind: 'silence'; reason: string }
  | { kind: 'end-mask' };

type CommandContext = {
  actor: Actor;
  /** The idempotency key of the request: a repetition gets the same answer. */
  mark?: RequestMark | undefined;
  /** Present when the command is audited; the status before and after is filled in. */
  audit?: AuditDraft | undefined;
  /** The W3C `traceparent` of the span that sends the command; absent if it is not traced. */
  traceParent?: string | undefined;
};

export type TagCommand = CommandContext & TagOrder & { tagId: number };

export type AlarmCommand = PostCommand | TagCommand;

export type PostCommand = CommandContext & {
  kind: 'post';
  body: RaiseAlarm;
  /** Set when the path that was generated for a tag without one is in use. */
  isPathInUse?: boolean;
  /** The digest of the definition that the sender has seen: a post for another one is refused. */
  seenDigest?: string | undefined;
  /** Changes the definition alone: the alarm is neither raised nor reset. */
  definesOnly?: boolean;
};
