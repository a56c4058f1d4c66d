import type { HttpClient } from '../http/http-client.ts';
import type { HubConsole, ShownAttempt } from '../hub/console.ts';
import { type Page, read } from '../plant.ts';

/** An attempt in the call history. All views must show the same. */
type Shown = Omit<ShownAttempt, 'attemptId'> & { startTime: string };
type TimelineEntry = { kind: string; time: string; detail: string; call?: ShownAttempt };
type Call = { id: number; alarmId: number; closedReason?: string; attempts: { id: number }[] };

export type CallViews = { readonly client: HttpClient; readonly screen: HubConsole };

/**
 * The calls of an alarm as the call history, the timeline and the hub show them: one line for each attempt with its status,
 * its reason and the messages of the hub, such as `Ben Busy: calling accepted ringing busy`, and a last line when the
 * calling has ended. Where two views differ the line says how.
 */
export async function shownCalls(views: CallViews, alarmId: number): Promise<string[]> {
  const { client } = views;
  const history = await read<Page<Shown & { id: number }>>(
    client,
    `call/histories?alarmId=${alarmId}&sort=%2Bid`,
  );
  const timeline = await read<Page<TimelineEntry>>(client, `alarms/${alarmId}/timeline?limit=1000`);
  const { items: open } = await read<Page<Call>>(client, 'calls?limit=1000');
  const running = open.filter((call) => call.alarmId === alarmId).flatMap(({ attempts }) => attempts);
  const lines = history.items.map(({ id, ...row }) => {
    const entry = timeline.items.find(({ call }) => call?.attemptId === id);
    const pushed = views.screen.calls.flatMap(({ argument }) =>
      argument.attempt?.attemptId === id ? [argument] : [],
    );
    const differences = [
      ...differencesFrom(row, 'timeline', entry?.call && { ...entry.call, startTime: entry.time }),
      ...differencesFrom(row, 'hub', pushed.at(-1)?.attempt),
      ...(entry && entry.detail !== row.reason ? [`the timeline gives the reason ${entry.detail}`] : []),
      ...(running.some((attempt) => attempt.id === id) === (row.endTime !== undefined)
        ? ['in progress?']
        : []),
    ];
    const reason = row.reason === '' ? '' : ` (${row.reason})`;
    const said = [pushed.map(({ kind }) => kind).join(' '), ...differences].join('; ');
    return `${row.user} ${row.status}${reason}: ${said}`;
  });
  return [...lines, ...(await endOf(views, alarmId, timeline.items))];
}

const members = [
  'userId',
  'user',
  'callGroupId',
  'medium',
  'address',
  'attempt',
  'status',
  'reason',
  'startTime',
  'endTime',
  'ackTime',
] as const satisfies (keyof Shown)[];

function differencesFrom(row: Shown, view: string, other: Partial<Shown> | undefined): string[] {
  if (!other) return [`not in the ${view}`];
  return members.flatMap((member) => {
    // The hub does not repeat when an attempt began.
    if (other[member] === row[member] || (view === 'hub' && member === 'startTime')) return [];
    return [`${member} ${String(row[member])} is ${String(other[member])} in the ${view}`];
  });
}

async function endOf(
  { client, screen }: CallViews,
  alarmId: number,
  timeline: readonly TimelineEntry[],
): Promise<string[]> {
  const ends = timeline.filter(({ kind }) => kind === 'calls-ended').map(({ detail }) => detail);
  const pushed = screen.calls.flatMap(({ argument: { kind, call } }) =>
    kind === 'closed' && call.alarmId === alarmId ? [call] : [],
  );
  const calls = await Promise.all(pushed.map(({ id }) => read<Call>(client, `calls/${id}`)));
  const [inTimeline, inHub, inCalls] = [ends, pushed.map(reasonOf), calls.map(reasonOf)].map(String);
  if (inTimeline === inHub && inHub === inCalls) return inHub === '' ? [] : [`ended: ${inHub}`];
  return [`ended: ${inTimeline} in the timeline, ${inHub} in the hub, ${inCalls} in the call`];
}

const reasonOf = ({ closedReason = '' }: { closedReason?: string }): string => closedReason;
