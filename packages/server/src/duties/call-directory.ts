import type { Action } from '@tocsin/contract';
import type { GroupEntry, Occasion, Person, Roster } from '@tocsin/domain';

/** A turn that an alarm takes, and that actions belong to. */
export type AlarmOccasion = Exclude<Occasion, 'requested'>;

/** A call group as calling sees it; `userIds` is everybody in it, on duty or not. */
export type CalledGroup = GroupEntry & {
  readonly name: string;
  /** 0: it is for all stations. */
  readonly stationId: number;
  /** Of its station, or of the tenant's first. */
  readonly timeZone: string;
  readonly roster: Roster;
};

/** Everything of a tenant that call plans are made from. It is a whole: all of it at one version. */
export type CallDirectory = {
  readonly version: number;
  readonly groups: ReadonlyMap<number, CalledGroup>;
  /** Those who are enabled, with their media that are enabled. */
  readonly people: ReadonlyMap<number, Person>;
  /** The names of those who are not. */
  readonly disabled: ReadonlyMap<number, string>;
  /** What each scenario does on each occasion. */
  readonly scenarios: Readonly<Record<AlarmOccasion, ReadonlyMap<number, readonly Action[]>>>;
  readonly scenarioOfTagGroup: ReadonlyMap<number, number>;
  /** Called when a group has nobody left to call; 0 for none. */
  readonly fallbackGroupId: number;
};
