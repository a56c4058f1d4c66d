import { Link } from '@tanstack/react-router';
import type {
  AlarmHistory,
  AlarmIntervention,
  AlarmStatistic,
  CallHistory,
  ConsolePriority,
} from '@tocsin/contract';
import type { ReactNode } from 'react';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import type { SiteTime } from '../../time/site-time.ts';
import type { Words } from '../../words/use-words.ts';
import type { Cell } from '../csv.ts';
import { shown } from '../durations.ts';
import type { Column } from '../table.tsx';
import type { Tab } from './history-search.ts';

/** How a list is read, shown and exported. */
type List<Item> = {
  readonly path: string;
  /** The newest first, for lists in the order of time. */
  readonly sort: string | undefined;
  readonly columns: (words: Words) => readonly Column[];
  readonly cells: (item: Item, show: Show) => readonly ReactNode[];
  /** The columns of a file have the names of the interface. */
  readonly names: readonly string[];
  readonly file: (item: Item) => readonly Cell[];
};

type Show = { readonly words: Words; readonly time: SiteTime };

const moment = (text: string, { time }: Show) =>
  `${time.date(Date.parse(text))} ${time.clock(Date.parse(text))}`;

const number = (label: string): Column => ({ label, isNumber: true });

function tagLink(id: number, text: string): ReactNode {
  return (
    <Link className="lnk" to="/alarms/$id" params={{ id: String(id) }}>
      {text}
    </Link>
  );
}

function priorityCell(priority: number, words: Words): ReactNode {
  if (priority < 1 || priority > 4) return priority;
  const known = priority as ConsolePriority;
  return (
    <span className="prio">
      <AlarmSymbol priority={known} state="ack" size={18} named={false} />
      {words.priorities[known]}
    </span>
  );
}

const alarms: List<AlarmHistory> = {
  path: '/alarms/histories',
  sort: '-id',
  columns: ({ histories, analysis }) => [
    { label: histories.raised },
    { label: analysis.priority },
    { label: analysis.message },
    { label: analysis.tag },
    { label: histories.acknowledged },
    number(histories.after),
    number(histories.lasted),
    number(histories.mended),
    { label: histories.comment },
  ],
  cells: (item, show) => [
    moment(item.alarmTime, show),
    priorityCell(item.priority, show.words),
    <b key="message">{item.message}</b>,
    tagLink(item.tagId, item.tagName),
    item.ackTime === undefined ? show.words.histories.notTaken : moment(item.ackTime, show),
    shown(item.reactionDuration),
    item.resetTime === undefined ? show.words.histories.stillActive : shown(item.alarmDuration),
    shown(item.interventionDuration),
    item.comment,
  ],
  names: [
    'id',
    'tagId',
    'tagName',
    'message',
    'priority',
    'alarmTime',
    'ackTime',
    'resetTime',
    'alarmDuration',
    'reactionDuration',
    'interventionDuration',
    'comment',
  ],
  file: (item) => [
    item.id,
    item.tagId,
    item.tagName,
    item.message,
    item.priority,
    item.alarmTime,
    item.ackTime,
    item.resetTime,
    item.alarmDuration,
    item.reactionDuration,
    item.interventionDuration,
    item.comment,
  ],
};

const statistics: List<AlarmStatistic> = {
  path: '/alarms/statistics',
  sort: undefined,
  columns: ({ histories, analysis }) => [
    { label: analysis.tag },
    { label: analysis.message },
    { label: analysis.priority },
    number(histories.code),
    number(histories.failures),
    number(histories.totalTime),
    number(histories.meanTime),
  ],
  cells: (item, { words }) => [
    tagLink(item.id, item.tagName),
    item.message,
    priorityCell(item.priority, words),
    item.code === 0 ? '–' : item.code,
    item.failureNumber,
    shown(item.failureTotalTime),
    shown(item.failureMeanTime),
  ],
  names: [
    'id',
    'tagName',
    'message',
    'priority',
    'code',
    'failureNumber',
    'failureTotalTime',
    'failureMeanTime',
  ],
  file: (item) => [
    item.id,
    item.tagName,
    item.message,
    item.priority,
    item.code,
    item.failureNumber,
    item.failureTotalTime,
    item.failureMeanTime,
  ],
};

const interventions: List<AlarmIntervention> = {
  path: '/alarms/interventions',
  sort: undefined,
  columns: ({ histories }) => [
    { label: histories.person },
    number(histories.count),
    number(histories.meanToTake),
    number(histories.meanToMend),
  ],
  cells: ({ user, interventionNumber, reactionMeanTime, interventionMeanTime }) => [
    user,
    interventionNumber,
    shown(reactionMeanTime),
    shown(interventionMeanTime),
  ],
  names: ['id', 'user', 'interventionNumber', 'reactionMeanTime', 'interventionMeanTime'],
  file: ({ id, user, interventionNumber, reactionMeanTime, interventionMeanTime }) => [
    id,
    user,
    interventionNumber,
    reactionMeanTime,
    interventionMeanTime,
  ],
};

const calls: List<CallHistory> = {
  path: '/call/histories',
  sort: '-id',
  columns: ({ histories, analysis }) => [
    { label: histories.started },
    { label: histories.person },
    { label: histories.how },
    { label: histories.outcome },
    { label: analysis.message },
    number(histories.attempt),
  ],
  cells: (item, show) => {
    const { alarm } = show.words;
    const outcome = alarm.statuses[item.status];
    return [
      moment(item.startTime, show),
      item.user,
      `${item.medium} ${item.address}`,
      item.reason === '' ? outcome : `${outcome}: ${item.reason}`,
      item.alarmId === 0 ? item.message : tagLink(item.alarmId, item.message),
      item.attempt,
    ];
  },
  names: [
    'id',
    'startTime',
    'endTime',
    'user',
    'medium',
    'address',
    'status',
    'reason',
    'ackTime',
    'alarmId',
    'message',
    'attempt',
  ],
  file: (item) => [
    item.id,
    item.startTime,
    item.endTime,
    item.user,
    item.medium,
    item.address,
    item.status,
    item.reason,
    item.ackTime,
    item.alarmId,
    item.message,
    item.attempt,
  ],
};

// Each list shows the items of its own path.
export const lists: Readonly<Record<Tab, List<never>>> = { alarms, statistics, interventions, calls };
