import type { Action } from '@tocsin/contract';
import type { GroupEntry, Occasion, Person, Roster } from '@tocsin/domain';

/** A change of an alarm that may have actions. */
export type AlarmOccasion = Exclude<Occasion, 'requested' | 'notice'>;

/** A call group; `userIds` are all its users, on duty or not. */
export type CalledGroup = GroupEntry & {
  readonly name: string;
  /** 0: all stations. */
  readonly stationId: number;
  /** Of its station, or of the tenant's first. */
  readonly timeZone: string;
  readonly roster: Roster;
};

/** The configuration that call plans are made from, all of one version. */
export type CallDirectory = {
  readonly version: number;
  readonly groups: ReadonlyMap<number, CalledGroup>;
  /** Enabled users with their enabled media, confirmed or not. */
  readonly people: ReadonlyMap<number, Person>;
  /** The names of disabled users. */
  readonly disabled: ReadonlyMap<number, string>;
  /** The actions of each scenario, by occasion. */
  readonly scenarios: Readonly<Record<AlarmOccasion, ReadonlyMap<number, readonly Action[]>>>;
  readonly scenarioOfTagGroup: ReadonlyMap<number, number>;
  /** Called when a group has nobody left to call; 0: none. */
  readonly fallbackGroupId: number;
  /** Whether everybody who was called for an alarm is told what became of it. */
  readonly tellsCalled: boolean;
};
