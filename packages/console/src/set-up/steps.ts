export const stepNames = ['station', 'people', 'channel', 'group', 'alarm', 'answer'] as const;
export type StepName = (typeof stepNames)[number];

/** What an installation has already, so that the path can be left and taken up again. */
export type Progress = {
  /** The name that the station has; the first station of a new installation has a default one. */
  readonly station: string | undefined;
  readonly hasAddress: boolean;
  readonly channels: number;
  readonly callGroups: number;
};

/** The name of the station that the server makes with a new installation. */
export const defaultStation = 'Station';

/** The first step that is not done. The first alarm is never done by itself: raising one again is a good test. */
export function firstOpenStep({ station, hasAddress, channels, callGroups }: Progress): StepName {
  if (station === undefined || station === defaultStation) return 'station';
  if (!hasAddress) return 'people';
  if (channels === 0) return 'channel';
  return callGroups === 0 ? 'group' : 'alarm';
}

export const indexOf = (name: StepName): number => stepNames.indexOf(name);

export function stepAfter(name: StepName): StepName {
  return stepNames[indexOf(name) + 1] ?? 'answer';
}

export function stepBefore(name: StepName): StepName | undefined {
  return stepNames[indexOf(name) - 1];
}

/** A user name from a name: `Anna Keller` signs in as `anna.keller`. */
export function userNameOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{Mark}/gu, '');
  return (
    plain
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('.') ?? ''
  );
}
