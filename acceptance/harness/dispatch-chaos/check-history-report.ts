import type { HistoryEntry, HistoryReport, StoredOccurrence } from './history-report.ts';

/** I9: histories agree with the stored occurrences; statistics and interventions agree with the histories. */
export function checkHistoryReport(report: HistoryReport): string[] {
  const faults = [...checkEntries(report), ...checkStatistics(report), ...checkInterventions(report)];
  return faults.map((fault) => `I9: tenant ${report.tenantId}, ${report.period}: ${fault}`);
}

/** One entry for each occurrence, with its times in whole seconds and their differences. */
function checkEntries({ histories, stored }: HistoryReport): string[] {
  const byId = Map.groupBy(histories, ({ id }) => id);
  const missing = stored.flatMap((occurrence) => {
    const [entry, ...more] = byId.get(occurrence.id) ?? [];
    if (!entry) return `occurrence ${occurrence.id} has no history`;
    return more.length > 0 ? `occurrence ${occurrence.id} is listed twice` : entryFaults(entry, occurrence);
  });
  const known = new Set(stored.map(({ id }) => id));
  const invented = histories
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `history ${id} has no occurrence`);
  return [...missing, ...invented];
}

function entryFaults(entry: HistoryEntry, occurrence: StoredOccurrence): string[] {
  const { raised, acknowledged, reset, ackUserId } = occurrence;
  const name = `history ${entry.id}`;
  if ((acknowledged === null) !== (ackUserId === null))
    return [`${name} was acknowledged ${acknowledged === null ? 'never' : 'once'}, by ${ackUserId}`];
  if ([acknowledged, reset].some((time) => time !== null && time < raised))
    return [`${name} ended before it began`];
  const shown = list([entry.tagId, entry.alarmTime, entry.ackTime, entry.resetTime]);
  const due = list([occurrence.tagId, ...[raised, acknowledged, reset].map(secondOf)]);
  const lasted = list([entry.alarmDuration, entry.reactionDuration, entry.interventionDuration]);
  const differ = list([between(raised, reset), between(raised, acknowledged), between(acknowledged, reset)]);
  return [
    ...(shown === due ? [] : [`${name} says ${shown}, and ${due} is stored`]),
    ...(lasted === differ ? [] : [`${name} lasted ${lasted}, and its times differ by ${differ}`]),
  ];
}

/** Active alarms are counted up to any second of the time that reading took. */
function checkStatistics({ histories, statistics, until }: HistoryReport): string[] {
  const byTag = [...Map.groupBy(histories, ({ tagId }) => tagId)];
  const recountAt = (second: number) =>
    byTag.map(([tagId, entries]): Row => {
      const total = sum(entries.map((entry) => failureSeconds(entry, second)));
      return [tagId, entries.length, duration(total), duration(total / entries.length)];
    });
  const recounts: Row[][] = [];
  const [earliest = 0, latest = 0] = [secondOf(until.earliest), secondOf(until.latest)];
  for (let second = earliest; second <= latest; second++) recounts.push(recountAt(second));
  const shown = statistics.map(
    (row): Row => [row.id, row.failureNumber, row.failureTotalTime, row.failureMeanTime],
  );
  return differences('statistic', shown, recounts);
}

function checkInterventions({ histories, interventions, stored }: HistoryReport): string[] {
  const users = new Map(stored.map(({ id, ackUserId }) => [id, ackUserId]));
  const byUser = Map.groupBy(histories, ({ id }) => users.get(id) ?? 0);
  byUser.delete(0);
  const recount = [...byUser].map(
    ([userId, entries]): Row => [
      userId,
      entries.length,
      mean(entries.flatMap(({ reactionDuration }) => reactionDuration ?? [])),
      mean(entries.flatMap(({ interventionDuration }) => interventionDuration ?? [])),
    ],
  );
  const shown = interventions.map(
    (row): Row => [row.id, row.interventionNumber, row.reactionMeanTime, row.interventionMeanTime],
  );
  return differences('intervention', shown, [recount]);
}

/** The id of the tag or user, and its figures. */
type Row = readonly [number, ...(number | string)[]];

/** Each row equals one of the recounts, and none is missing. */
function differences(what: string, shown: readonly Row[], recounts: readonly (readonly Row[])[]): string[] {
  const right = new Set(recounts.flat().map((row) => row.join(' ')));
  const ids = shown.map(([id]) => id);
  return [
    ...shown
      .map((row) => row.join(' '))
      .filter((row) => !right.has(row))
      .map((row) => `${what} ${row} is wrong`),
    ...(recounts[0] ?? [])
      .filter(([id]) => !ids.includes(id))
      .map((row) => `${what} ${row.join(' ')} is missing`),
    ...(new Set(ids).size < ids.length ? [`a ${what} is there twice`] : []),
  ];
}

/** An alarm that was not reset lasts until `second`. */
function failureSeconds({ alarmTime, resetTime, alarmDuration }: HistoryEntry, second: number): number {
  if (resetTime === undefined) return Math.max(0, second - Date.parse(alarmTime) / 1_000);
  return secondsOf(alarmDuration ?? '00:00:00');
}

function mean(durations: readonly string[]): string {
  return duration(durations.length === 0 ? 0 : sum(durations.map(secondsOf)) / durations.length);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const secondOf = (time: number | null) => (time === null ? undefined : Math.floor(time / 1_000));

/** Duration in whole seconds; undefined if a time is missing or `to` is before `from`. */
function between(from: number | null, to: number | null): string | undefined {
  if (from === null || to === null || to < from) return undefined;
  return duration((secondOf(to) ?? 0) - (secondOf(from) ?? 0));
}

/** Numbers, durations and times in one comparable form; `-` for none. */
function list(values: readonly (string | number | undefined)[]): string {
  const shown = values.map((value) =>
    typeof value === 'string' && value.includes('T') ? Date.parse(value) / 1_000 : (value ?? '-'),
  );
  return shown.join();
}

function duration(seconds: number): string {
  const parts = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}
