import type { OccasionDefinition, OccasionPrefix, PlainMember } from './alarm-record.ts';

// Lists of members, written as objects so that the compiler reports a member that is missing.

export const occasionPrefixes = Object.keys({
  alarm: true,
  reset: true,
  ack: true,
} satisfies Record<OccasionPrefix, true>) as OccasionPrefix[];

/** The plain members of a definition, and their names in a post. */
export const plainNames: Readonly<Record<PlainMember, string>> = {
  stationId: 'stationId',
  dataServerId: 'dataServerId',
  tagGroupId: 'tagGroupId',
  path: 'path',
  name: 'name',
  localizedName: 'localizedName',
  priority: 'priority',
  temporary: 'temporary',
  conditionValue: 'eventCondition.value',
  transitory: 'eventCondition.transitory',
  reactivatable: 'eventCondition.reactivatable',
  resettable: 'eventCondition.resettable',
  alarmDelay: 'alarmDelay',
};

export const plainMembers = Object.keys(plainNames) as PlainMember[];

/** The texts of an occasion, and their names in a post behind the prefix of the occasion. */
export const textSuffixes = {
  message: 'Message',
  format: 'Format',
  shortMessage: 'ShortMessage',
  vocalMessageFile: 'VocalMessageFile',
  attachedFile: 'AttachedFile',
} as const satisfies { [Text in OccasionText]: Capitalize<Text> };

export type OccasionText = Exclude<keyof OccasionDefinition, 'actions'>;

export const occasionTexts = Object.keys(textSuffixes) as OccasionText[];

/** The texts of an occasion that name a file of the media library. */
export const fileTexts = Object.keys({
  vocalMessageFile: true,
  attachedFile: true,
} satisfies Record<Extract<OccasionText, `${string}File`>, true>) as Extract<OccasionText, `${string}File`>[];
