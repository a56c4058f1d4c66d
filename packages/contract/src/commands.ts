import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { alarmOccasions, filterBy, Id, OffsetDateTime, Uint } from './primitives.ts';

export const commandStatuses = [
  'queued',
  'running',
  'done',
  'failed',
  'timed-out',
  'stopped',
  'refused',
  'unknown',
] as const;

/** One run of a program that an alarm started, or a request to end it. */
export const CommandRun = Type.Object(
  {
    id: Id,
    type: Type.Enum(['ExecuteCommand', 'StopCommand']),
    scriptId: Type.Integer({ ...Uint, description: 'The entry in the list of commands.' }),
    parameter: Type.String(),
    alarmId: Id,
    occasion: Type.Enum([...alarmOccasions]),
    grantedBy: Type.String({
      description:
        'Subject with the right to define the command: `user:7`, `key:3` or `scenario:2`; empty if there was none.',
    }),
    status: Type.Enum([...commandStatuses]),
    reason: Type.String(),
    listHash: Type.String({
      description: 'SHA-256 of the list of commands that it was checked against; empty before the check.',
    }),
    orderTime: OffsetDateTime,
    startTime: Type.Optional(OffsetDateTime),
    endTime: Type.Optional(OffsetDateTime),
    exitCode: Type.Optional(Type.Integer()),
    signal: Type.String({ description: 'The signal that ended it, such as `SIGKILL`; empty for none.' }),
    output: Type.String({ description: 'The first 8192 characters of its output.' }),
    outputCut: Type.Boolean(),
  },
  { title: 'CommandRun' },
);
export type CommandRun = Static<typeof CommandRun>;

export const CommandRunPage = pageOf(CommandRun, 'CommandRunPage');

export const ListCommandRuns = Type.Object(
  {
    offset: PagingQuery.offset,
    limit: PagingQuery.limit,
    sort: PagingQuery.sort,
    alarmId: filterBy('alarm'),
    scriptId: filterBy('command'),
  },
  { title: 'ListCommandRuns' },
);
