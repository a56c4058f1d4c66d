import { type AlarmKpis, type KpiGroup, type KpiPriority, longestTenMinutesHours } from '@tocsin/contract';
import { formatDuration, formatInZone, wholeSecondsBetween } from '@tocsin/domain';
import type { GroupSum } from './group-sums.store.ts';
import type { KpiPeriod } from './kpi-period.ts';
import type { MaskedRow, StaleRow } from './standing-alarms.store.ts';
import { type TenMinutes, tenMinutesMs } from './ten-minutes.ts';
import type { TagCounts } from './worst-tags.store.ts';

type Response = Pick<GroupSum, 'alarms' | 'reactions' | 'reactionSeconds' | 'repairs' | 'repairSeconds'>;

export function toResponse(sums: readonly Response[]) {
  const total = (member: keyof Response) => sums.reduce((sum, one) => sum + one[member], 0);
  const [acknowledged, repaired] = [total('reactions'), total('repairs')];
  return {
    alarms: total('alarms'),
    acknowledged,
    ...(acknowledged > 0 && { reactionMeanTime: meanOf(total('reactionSeconds'), acknowledged) }),
    repaired,
    ...(repaired > 0 && { repairMeanTime: meanOf(total('repairSeconds'), repaired) }),
  };
}

function meanOf(seconds: number, count: number): string {
  return formatDuration(Math.floor(seconds / count));
}

export function toPriorities(sums: readonly GroupSum[]): KpiPriority[] {
  const all = toResponse(sums).alarms;
  return [...Map.groupBy(sums, ({ priority }) => priority)]
    .map(([priority, own]) => {
      const { alarms } = toResponse(own);
      return { priority, alarms, share: shareOf(alarms, all) };
    })
    .toSorted((one, other) => one.priority - other.priority);
}

/** The groups with the most alarms first. */
export function toGroups(sums: readonly GroupSum[]): KpiGroup[] {
  return [...Map.groupBy(sums, ({ tagGroupId }) => tagGroupId)]
    .map(([tagGroupId, own]) => Object.assign({ tagGroupId, name: own[0]?.groupName ?? '' }, toResponse(own)))
    .toSorted((one, other) => other.alarms - one.alarms || one.tagGroupId - other.tagGroupId);
}

export function toWorst({ total, items }: TagCounts, chattering: TagCounts, all: number): AlarmKpis['worst'] {
  const chatters = new Map(chattering.items.map(({ tagId, alarms }) => [tagId, alarms]));
  let sum = 0;
  return {
    total,
    items: items.map((tag) => {
      sum += tag.alarms;
      return {
        ...tag,
        share: shareOf(tag.alarms, all),
        cumulativeShare: shareOf(sum, all),
        chattering: chatters.get(tag.tagId) ?? 0,
      };
    }),
  };
}

/** The members of a tag that lists have. */
function tagOf({ tagId, tagName, message, priority }: StaleRow | MaskedRow) {
  return { tagId, tagName, message, priority };
}

export function toStale(row: StaleRow, until: Date): AlarmKpis['stale']['items'][number] {
  const duration = formatDuration(wholeSecondsBetween(row.since, until) ?? 0);
  return { ...tagOf(row), since: formatInZone(row.timeZone, row.since), duration };
}

export function toMasked(row: MaskedRow): AlarmKpis['masked']['items'][number] {
  const { timeZone, since, until, user, reason } = row;
  return {
    ...tagOf(row),
    ...(since && { since: formatInZone(timeZone, since) }),
    ...(until && { until: formatInZone(timeZone, until) }),
    user: user ?? '',
    reason: reason ?? '',
  };
}

/** The ten minutes with alarms, if the period is short enough to show each. */
export function toTenMinutes(
  { first, counts }: TenMinutes,
  { from, to, zone }: KpiPeriod,
): Pick<AlarmKpis, 'tenMinutes'> {
  if (to.getTime() - from.getTime() > longestTenMinutesHours * 3_600_000) return {};
  return {
    tenMinutes: [...counts].flatMap((alarms, index) =>
      alarms > 0 ? [{ at: formatInZone(zone, new Date((first + index) * tenMinutesMs)), alarms }] : [],
    ),
  };
}

export function shareOf(part: number, all: number): number {
  return all === 0 ? 0 : part / all;
}
