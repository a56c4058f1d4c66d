import { operatorChoices } from '../kpi/kpi-search.ts';
import { idIn } from '../period.ts';

/** What the address of a report chooses. */
export type ReportSearch = {
  /** `2026-10`; the last month that is over if absent. */
  readonly month?: string | undefined;
  readonly stationId?: number | undefined;
  readonly operators?: number | undefined;
};

export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const { month } = search;
  return {
    month: typeof month === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    stationId: idIn(search['stationId']),
    operators: operatorChoices.find((number) => number === Number(search['operators'])),
  };
}
