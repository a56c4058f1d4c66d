import type { CallPlan, Medium, NoticeKind, Person, Stage } from '../calling/call-plan.ts';

/** A message about no alarm, to one address of one person. */
export type NoticeDraft = {
  kind: NoticeKind;
  person: Omit<Person, 'media'>;
  medium: Medium;
  text: string;
  /** So that two telephones of a person do not ring at the same time. */
  delaySeconds: number;
  /** After this time it is of no use to the person. */
  endsAfterSeconds: number;
};

/** Less urgent than any alarm. */
const noticePriority = Number.MAX_SAFE_INTEGER;

/** Tries by one medium. An alarm is called for more often, because more depends on it. */
const noticeAttempts = 2;

const noticeStage: Omit<Stage, 'userIds'> = {
  groupId: 0,
  role: 'first',
  mode: 'Sequential',
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: noticeAttempts,
  cycles: 1,
};

/** The plan of a notice. It names one person with one medium, so that nobody else gets it. */
export function createNoticePlan({ kind, person, medium, text, ...times }: NoticeDraft): CallPlan {
  return {
    format: 1,
    occasion: 'notice',
    until: 'reached',
    priority: noticePriority,
    ...times,
    outlivesReset: true,
    targets: [{ stages: [{ ...noticeStage, userIds: [person.userId] }] }],
    people: [{ ...person, media: [medium] }],
    message: { text, shortText: '', number: 0, audio: '', file: '', notice: kind },
  };
}

const secondsPerVoice = 90;

/** By medium, when to begin with it: messages at once, and one telephone after the other. */
export function noticeDelays(media: readonly Medium[]): number[] {
  let telephones = 0;
  return media.map(({ kind }) => {
    if (kind !== 'Voice') return 0;
    telephones += 1;
    return (telephones - 1) * secondsPerVoice;
  });
}
