import type { Location, RaiseAlarm } from '@tocsin/contract';
import type { KeptAction } from '../../plant/command-grant.ts';

type Post = Required<RaiseAlarm>;
type Condition = Required<Post['eventCondition']>;

/** The occasions of an alarm (raised, reset, acknowledged), as the members of a post are prefixed. */
export type OccasionPrefix = 'alarm' | 'reset' | 'ack';

type SuffixOf<Member> = Member extends `reset${infer Suffix}` ? Suffix : never;
/** `Message`, `Format` and so on: what a post can define for each occasion. */
type OccasionSuffix = SuffixOf<keyof Post>;

type OccasionTexts = {
  [Suffix in Exclude<OccasionSuffix, 'Actions'> as Uncapitalize<Suffix>]: Post[`reset${Suffix}`];
};

/** The texts, files and actions of one occasion. */
export type OccasionDefinition = OccasionTexts & { actions: readonly KeptAction[] };

/** Members of a post that change the status of the alarm instead of its definition. */
type StatusPost = 'raised' | 'value' | 'location';

type SameInPost = Exclude<
  keyof Post,
  StatusPost | 'eventCondition' | 'tagGroupId' | `${OccasionPrefix}${OccasionSuffix}`
>;

/**
 * The definition of an alarm point. Its members follow from those of a post, so that a member that is added to the
 * contract does not compile until it is defined, compared, written and read.
 */
export type TagDefinition = Pick<Post, SameInPost> &
  Omit<Condition, 'value'> & {
    tagGroupId: number | null;
    name: string;
    localizedName: string;
    conditionValue: Condition['value'];
  } & Record<OccasionPrefix, OccasionDefinition>;

/** A member of the definition that does not belong to an occasion. */
export type PlainMember = Exclude<keyof TagDefinition, OccasionPrefix>;

/** The current status of the alarm of a tag. */
export type AlarmStatus = {
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
  /** The sender without rights on the tag that raised the latest occurrence; null if the sender had rights. */
  raisedBy: string | null;
};

/** A tag with its alarm and the configuration that applies to it. */
export type AlarmRecord = {
  tagId: number;
  definition: TagDefinition;
  status: AlarmStatus;
  /** The subject of its creator; null for tags that were created before creators were stored. */
  createdBy: string | null;
  /** Whether its creator had no right to the place: a sender with that right may take the definition over. */
  provisional: boolean;
  /** Of the station; times of the alarm are shown in it. */
  timeZone: string;
  stationName: string;
  dataServerName: string;
  /** Of the tag group. */
  autoAcknowledge: boolean;
  /** The call groups of the scenarios that its actions name. */
  scenarioCallGroups: ReadonlyMap<number, readonly number[]>;
  /** The call groups of the scenario of its tag group. */
  groupCallGroupIds: readonly number[];
  /** A text of the tag that is in the database, and its id. */
  storedText?: { readonly text: OccurrenceText; readonly id: number };
  /** The last journal entry on withheld members: the same one is not written again. */
  withheldNote?: string;
};

/** The message of an occurrence and the objects it belongs to. Texts repeat, so each is stored once and referenced. */
export type OccurrenceText = {
  message: string;
  comment: string;
  stationId: number;
  dataServerId: number;
  tagGroupId: number | null;
  callGroupIds: readonly number[];
};

/** The changes of a batch to one occurrence; absent members stay unchanged. */
export type OccurrenceDraft = {
  id: number;
  raisedAt: Date;
  tagId: number;
  /** Present for an occurrence that starts in this batch. */
  started?: { priority: number };
  text?: OccurrenceText;
  /** Of a text that is stored already. */
  textId?: number;
  acknowledgedAt?: Date;
  ackUserId?: number;
  resetAt?: Date;
  addedRepeats: number;
};
