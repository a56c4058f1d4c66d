import { idIn, type PeriodSearch, readPeriod } from '../period.ts';

/** What the address of the key figures chooses. */
export type KpiSearch = PeriodSearch & {
  readonly stationId?: number | undefined;
  /** Operators who share the alarms. */
  readonly operators?: number | undefined;
  /** The day whose ten minutes are shown, `2026-11-15`; the busiest if absent. */
  readonly day?: string | undefined;
};

export const operatorChoices = [1, 2, 3, 4, 5, 6] as const;

export function readKpiSearch(search: Record<string, unknown>): KpiSearch {
  const { day } = search;
  return {
    ...readPeriod(search),
    stationId: idIn(search['stationId']),
    operators: operatorChoices.find((number) => number === Number(search['operators'])),
    day: typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
  };
}
