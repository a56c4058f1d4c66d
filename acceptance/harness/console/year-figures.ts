import type { HttpClient } from '../http/http-client.ts';
import { type Page, read } from '../plant.ts';

export type History = {
  id: number;
  tagId: number;
  tagName: string;
  priority: number;
  alarmTime: string;
  ackTime?: string;
  reactionDuration?: string;
  alarmDuration?: string;
};

/** All occurrences of a period, page by page. */
export async function readHistories(client: HttpClient, query: string): Promise<History[]> {
  const items: History[] = [];
  for (;;) {
    const path = `alarms/histories?${query}&sort=%2Bid&limit=1000&offset=${items.length}`;
    const { items: own, paging } = await read<Page<History>>(client, path);
    items.push(...own);
    if (own.length === 0 || items.length >= paging.total) return items;
  }
}

const tenMinutesMs = 600_000;

/** The key figures of a period, counted from its occurrences alone. */
export function countFigures(histories: readonly History[], from: number, until: number) {
  const times = histories.map(({ alarmTime }) => Date.parse(alarmTime));
  const counts = new Map<number, number>();
  for (const at of times) {
    const part = Math.floor(at / tenMinutesMs);
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  let [isFlood, floodMs, floods] = [false, 0, 0];
  for (let part = Math.floor(from / tenMinutesMs); part * tenMinutesMs < until; part += 1) {
    const count = counts.get(part) ?? 0;
    const was = isFlood;
    isFlood = count > 10 || (was && count >= 5);
    if (isFlood && !was) floods += 1;
    if (isFlood) floodMs += Math.min((part + 1) * tenMinutesMs, until) - Math.max(part * tenMinutesMs, from);
  }
  const reactions = histories.flatMap(({ reactionDuration }) =>
    reactionDuration ? secondsOf(reactionDuration) : [],
  );
  return {
    alarms: histories.length,
    busiest: Math.max(0, ...counts.values()),
    floods,
    floodSeconds: Math.round(floodMs / 1000),
    reactionMeanSeconds: Math.floor(
      reactions.reduce((sum, one) => sum + one, 0) / Math.max(1, reactions.length),
    ),
    worst: ranked(histories),
    chattering: ranked(chatteringOf(histories)),
    priorities: [1, 2, 3, 4].map((priority) => histories.filter((one) => one.priority === priority).length),
  };
}

function secondsOf(duration: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = duration.split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

/** Tags by their number of occurrences. */
function ranked(histories: readonly History[]): { tagName: string; alarms: number }[] {
  const byTag = [...Map.groupBy(histories, ({ tagId }) => tagId)];
  return byTag
    .map(([tagId, own]) => ({ tagId, tagName: own[0]?.tagName ?? '', alarms: own.length }))
    .toSorted((one, other) => other.alarms - one.alarms || one.tagId - other.tagId)
    .map(({ tagName, alarms }) => ({ tagName, alarms }));
}

/** Those that were at least the third raise of their tag within a minute. */
function chatteringOf(histories: readonly History[]): History[] {
  return [...Map.groupBy(histories, ({ tagId }) => tagId).values()].flatMap((own) =>
    own.filter((one, index) => {
      const third = own[index - 2];
      return third !== undefined && Date.parse(one.alarmTime) - Date.parse(third.alarmTime) < 60_000;
    }),
  );
}
