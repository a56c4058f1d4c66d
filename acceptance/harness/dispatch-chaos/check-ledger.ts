import type { HistoryEntry, Ledger, StoredOccurrence } from './ledger.ts';

/** I9: histories say what is stored, and statistics and interventions say what histories add up to. */
export function checkLedger(ledger: Ledger): string[] {
  const faults = [...checkEntries(ledger), ...checkStatistics(ledger), ...checkInterventions(ledger)];
  return faults.map((fault) => `I9: tenant ${ledger.tenantId}, ${ledger.period}: ${fault}`);
}

/** One entry for each occurrence, with its times to the second and the differences of these. */
function checkEntries({ histories, stored }: Ledger): string[] {
  const byId = Map.groupBy(histories, ({ id }) => id);
  const missing = stored.flatMap((occurrence) => {
    const [entry, ...more] = byId.get(occurrence.id) ?? [];
    if (!entry) return `occurrence ${occurrence.id} has no history`;
    return more.length > 0 ? `occurrence ${occurrence.id} is told twice` : entryFaults(entry, occurrence);
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
  const told = list([entry.tagId, entry.alarmTime, entry.ackTime, entry.resetTime]);
  const due = list([occurrence.tagId, ...[raised, acknowledged, reset].map(secondOf)]);
  const lasted = list([entry.alarmDuration, entry.reactionDuration, entry.interventionDuration]);
  const differ = list([between(raised, reset), between(raised, acknowledged), between(acknowledged, reset)]);
  return [
    ...(told === due ? [] : [`${name} says ${told}, and ${due} is stored`]),
    ...(lasted === differ ? [] : [`${name} lasted ${lasted}, and its times differ by ${differ}`]),
  ];
}

/** What is still active is counted up to some second of the time that it took to ask. */
function checkStatistics({ histories, statistics, until }: Ledger): string[] {
  const byTag = [...Map.groupBy(histories, ({ tagId }) => tagId)];
  const recountAt = (second: number) =>
    byTag.map(([tagId, entries]): Row => {
      const total = sum(entries.map((entry) => failureSeconds(entry, second)));
      return [tagId, entries.length, duration(total), duration(total / entries.length)];
    });
  const recounts: Row[][] = [];
  const [earliest = 0, latest = 0] = [secondOf(until.earliest), secondOf(until.latest)];
  for (let second = earliest; second <= latest; second++) recounts.push(recountAt(second));
  const told = statistics.map(
    (row): Row => [row.id, row.failureNumber, row.failureTotalTime, row.failureMeanTime],
  );
  return differences('statistic', told, recounts);
}

function checkInterventions({ histories, interventions, stored }: Ledger): string[] {
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
  const told = interventions.map(
    (row): Row => [row.id, row.interventionNumber, row.reactionMeanTime, row.interventionMeanTime],
  );
  return differences('intervention', told, [recount]);
}

/** The first is whose it is. */
type Row = readonly [number, ...(number | string)[]];

/** Each row is as one of the recounts has it, and each has its row. */
function differences(what: string, told: readonly Row[], recounts: readonly (readonly Row[])[]): string[] {
  const right = new Set(recounts.flat().map((row) => row.join(' ')));
  const ids = told.map(([id]) => id);
  return [
    ...told
      .map((row) => row.join(' '))
      .filter((row) => !right.has(row))
      .map((row) => `${what} ${row} is wrong`),
    ...(recounts[0] ?? [])
      .filter(([id]) => !ids.includes(id))
      .map((row) => `${what} ${row.join(' ')} is missing`),
    ...(new Set(ids).size < ids.length ? [`a ${what} is there twice`] : []),
  ];
}

/** One that was not reset lasts until then. */
function failureSeconds({ alarmTime, resetTime, alarmDuration }: HistoryEntry, second: number): number {
  if (resetTime === undefined) return Math.max(0, second - Date.parse(alarmTime) / 1_000);
  return secondsOf(alarmDuration ?? '00:00:00');
}

function mean(durations: readonly string[]): string {
  return duration(durations.length === 0 ? 0 : sum(durations.map(secondsOf)) / durations.length);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const secondOf = (time: number | null) => (time === null ? undefined : Math.floor(time / 1_000));

/** Of the times as they are shown; nothing where one is missing or they are the wrong way round. */
function between(from: number | null, to: number | null): string | undefined {
  if (from === null || to === null || to < from) return undefined;
  return duration((secondOf(to) ?? 0) - (secondOf(from) ?? 0));
}

/** Numbers, durations and times, so that the same look the same; `-` for none. */
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
