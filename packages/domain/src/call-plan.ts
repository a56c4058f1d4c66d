export type CallMode = 'Sequential' | 'Broadcast' | 'Turnover';

export type MediumKind = 'Voice' | 'Sms' | 'Email' | 'Push' | 'Webhook' | 'Pager';

export type Medium = { kind: MediumKind; address: string };

/** Media in order of preference. */
export type Person = { userId: number; name: string; language: string; media: Medium[] };

/** The call group whose people are called now; when it fails, the next stage of the target follows. */
export type Stage = {
  /** 0 for a single user. */
  groupId: number;
  role: 'first' | 'relief' | 'fallback';
  mode: CallMode;
  /** Everybody in the group, in calling order. */
  userIds: number[];
  /** Whether only those on duty are called. */
  rostered: boolean;
  /** How long one person, or all in a broadcast, may take to acknowledge before the next are called. */
  ackTimeoutSeconds: number;
  /** Tries to reach a person in one turn. */
  attempts: number;
  /** Passes through the people of the stage. */
  cycles: number;
};

/** One call group or user that an action names, with those who stand in for it. */
export type Target = { stages: Stage[] };

export type CallMessage = {
  text: string;
  shortText: string;
  /** For pagers, and before an SMS; 0 for none. */
  number: number;
  /** Names in the media library; empty for none. */
  audio: string;
  file: string;
};

/** Why people are called: a turn of an alarm, or somebody asked for it. */
export type Occasion = 'raised' | 'reset' | 'acknowledged' | 'requested';

/**
 * Which groups and users to call for one turn of an alarm or one request, in which order and with which message, frozen
 * at its start. Who of a group is on duty, who is enabled and by which media people are reached is looked up whenever
 * somebody is called. Plain JSON, stored with the duty. All targets are called at the same time; nobody waits for
 * another group to fail.
 */
export type CallPlan = {
  /** Of this shape, for readers of later releases. */
  format: 1;
  occasion: Occasion;
  /** What ends the calling: the alarm is acknowledged, or people have the message. */
  until: 'acknowledged' | 'reached';
  /** 1 is the most urgent. */
  priority: number;
  delaySeconds: number;
  /** An event is over at once, and is called for all the same. */
  outlivesReset: boolean;
  targets: Target[];
  /** Everybody a stage names, each once, as they were at the freeze. Earlier releases call by these. */
  people: Person[];
  message: CallMessage;
};
