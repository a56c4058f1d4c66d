import type { ConsoleHealth } from '@tocsin/contract';

/** The newest of some times, in milliseconds since 1970; undefined if there is none. */
export function newest(times: readonly (string | undefined)[]): number | undefined {
  const known = times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  return known.length === 0 ? undefined : Math.max(...known);
}

export type CallProof = {
  readonly down: number;
  readonly channels: number;
  readonly checkedAt: number | undefined;
};

/** Whether calls can go out. The oldest medium counts, because the others cannot stand in for it. */
export function callProof({ media }: Pick<ConsoleHealth, 'media'>): CallProof {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
  const checks = media.map(({ lastCheckTime }) => newest([lastCheckTime]));
  const known = checks.filter((check) => check !== undefined);
  return {
    down: sum(media.map(({ down }) => down)),
    channels: sum(media.map(({ channels }) => channels)),
    checkedAt: known.length < checks.length || known.length === 0 ? undefined : Math.min(...known),
  };
}

/** The call groups for which nobody can be called now. */
export function uncovered({ onDuty }: Pick<ConsoleHealth, 'onDuty'>): readonly string[] {
  return (onDuty ?? [])
    .filter(({ people }) => !people.some(({ canBeCalled }) => canBeCalled))
    .map(({ callGroup }) => callGroup);
}
