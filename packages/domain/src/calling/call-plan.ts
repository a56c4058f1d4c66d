import type { DailyWindow } from '../roster/daily-window.ts';

export type CallMode = 'Sequential' | 'Broadcast' | 'Turnover';

export type MediumKind = 'Voice' | 'Sms' | 'Email' | 'Push' | 'Webhook' | 'Pager';

export type Medium = { kind: MediumKind; address: string };

export type Person = {
  userId: number;
  name: string;
  language: string;
  /** Confirmed, in order of preference. */
  media: Medium[];
  /** Addresses that nobody has confirmed. They are called as a last resort. */
  unconfirmed?: Medium[];
  /** Looked up at each step, like the media. Not stored with a plan. */
  mediaRules?: MediaRules;
};

/** The rules of a person; the first one that matches decides. Times are those of the zone. */
export type MediaRules = { timeZone: string; rules: readonly MediaRule[] };

/** The media of a person for some priorities at some time of the day. Without media the person is quiet: not called. */
export type MediaRule = DailyWindow & { priorities: readonly number[]; media: readonly RuleMedium[] };

/** `afterSeconds` is the wait after the previous medium of the rule. Without an address it means all of that kind. */
export type RuleMedium = { kind: MediumKind; address?: string; afterSeconds?: number };

/** One call group, or one user, of a target. When it fails, the next stage follows. */
export type Stage = {
  /** 0 for a single user. */
  groupId: number;
  role: 'first' | 'relief' | 'fallback';
  mode: CallMode;
  /** Everybody in the group, in calling order. */
  userIds: number[];
  /** Whether only the people on duty are called. */
  rostered: boolean;
  /** Time for the people of a step to acknowledge before the next ones are called. */
  ackTimeoutSeconds: number;
  /** Tries to reach a person in one step. */
  attempts: number;
  /** Passes through the people of the stage. */
  cycles: number;
};

/** A call group or user that an action names, followed by its relief and fallback groups. */
export type Target = { stages: Stage[] };

export type CallMessage = {
  text: string;
  shortText: string;
  /** Sent to pagers and at the start of an SMS; 0 for none. */
  number: number;
  /** Names in the media library; empty for none. */
  audio: string;
  file: string;
  /** For people who were called for the alarm and are told what became of it; the text is that of the alarm. */
  news?: AlarmNews;
  /** Set if the message is about no alarm. */
  notice?: NoticeKind;
};

/** A message about no alarm: a test of a medium, a code to type somewhere else, or a reminder of a shift. */
export type NoticeKind = 'test' | 'code' | 'reminder';

/** What became of an alarm. `by` is empty if a machine took it; `time` is the clock of the station. */
export type AlarmNews = { kind: 'taken'; by: string } | { kind: 'over'; time: string };

export type AlarmOccasion = 'raised' | 'reset' | 'acknowledged';

/** Why people are called: an occasion of an alarm, a request by a user, or a notice about no alarm. */
export type Occasion = AlarmOccasion | 'requested' | 'notice';

/**
 * Groups and users to call for one occasion of an alarm or one request, in calling order, with the message. It does not
 * change after its creation; rosters, enabled users and their media are looked up at each step. All targets are called
 * at the same time. Plain JSON, stored with the escalation.
 */
export type CallPlan = {
  /** Version of this format, for later releases. */
  format: 1;
  occasion: Occasion;
  /** Calling ends when the alarm is acknowledged, or when people have the message. */
  until: 'acknowledged' | 'reached';
  /** 1 is the most urgent. */
  priority: number;
  delaySeconds: number;
  /** True for transitory alarms: they are reset at once, and people are called all the same. */
  outlivesReset: boolean;
  /** Whether everybody who was called for the alarm is told, too, by a quiet medium. */
  tellsCalled?: true;
  /** Only for a notice: it is given up this long after it was opened. */
  endsAfterSeconds?: number;
  targets: Target[];
  /** Everybody that a stage names, each once, as they were at the creation. Used where no current people are given. */
  people: Person[];
  message: CallMessage;
};
