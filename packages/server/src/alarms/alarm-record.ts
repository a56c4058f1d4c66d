import type { Location } from '@tocsin/contract';
import type { KeptAction } from '../plant/command-grant.ts';

/** What one turn of an alarm (raised, reset, acknowledged) says, by every way of reaching people. */
export type Turn = {
  message: string;
  format: string;
  shortMessage: string;
  vocalMessageFile: string;
  attachedFile: string;
  actions: readonly KeptAction[];
};

/** What is known of an alarm point, apart from how it stands. */
export type TagDefinition = {
  stationId: number;
  dataServerId: number;
  tagGroupId: number | null;
  path: string;
  name: string;
  localizedName: string;
  priority: number;
  temporary: boolean;
  conditionValue: string;
  transitory: boolean;
  reactivatable: boolean;
  resettable: boolean;
  alarmDelay: number;
  alarm: Turn;
  reset: Turn;
  ack: Turn;
};

/** How the alarm of a tag stands. */
export type AlarmStanding = {
  state: number;
  value: string;
  location: Location | null;
  /** Of the latest occurrence; of the definition before the first. */
  raisedAt: Date;
  lastChange: Date;
  /** 0 before the first occurrence. */
  occurrenceId: number;
  repeats: number;
  ackUser: string;
  comment: string;
  maskUntil: Date | null;
  maskReason: string | null;
  maskBy: string | null;
  /** The stranger to the tag that raised the latest occurrence; null when somebody with rights on it did. */
  raisedBy: string | null;
};

/** A tag with its alarm and what its surroundings lend it. */
export type AlarmRecord = {
  tagId: number;
  definition: TagDefinition;
  standing: AlarmStanding;
  /** The subject of its creator; null for tags that are older than the note of it. */
  createdBy: string | null;
  /** Whether its creator had no right to the place: the definition yields to who has one. */
  provisional: boolean;
  /** Of the station: in it the alarm's times are shown. */
  timeZone: string;
  dataServerName: string;
  /** Of the tag group. */
  autoAcknowledge: boolean;
  /** The call groups of the scenarios that its actions name. */
  scenarioCallGroups: ReadonlyMap<number, readonly number[]>;
  /** The call groups of the scenario of its tag group. */
  groupCallGroupIds: readonly number[];
  /** A text of the tag that is known to be kept, and its number. */
  keptText?: { readonly text: OccurrenceText; readonly id: number };
  /** The last journal note on withheld members: the same one is not written again. */
  withheldNote?: string;
};

/** What an occurrence says and belongs to. It repeats, so it is kept once and occurrences point at it. */
export type OccurrenceText = {
  message: string;
  comment: string;
  stationId: number;
  dataServerId: number;
  tagGroupId: number | null;
  callGroupIds: readonly number[];
};

/** What a batch does to one occurrence; absent members are left as they are. */
export type OccurrenceDraft = {
  id: number;
  raisedAt: Date;
  tagId: number;
  /** Present for an occurrence that starts in this batch. */
  started?: { priority: number };
  text?: OccurrenceText;
  /** Of a text that is kept already. */
  textId?: number;
  acknowledgedAt?: Date;
  ackUserId?: number;
  resetAt?: Date;
  addedRepeats: number;
};
