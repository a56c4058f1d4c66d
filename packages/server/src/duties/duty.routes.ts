import { Duties, IdParams, ListDuties } from '@tocsin/contract';
import { addSeconds, formatInZone, parseDateTime, rosterChanges } from '@tocsin/domain';
import { findCallGroup } from '../call-groups/call-group.store.ts';
import { invalid, notFound } from '../common/problem.ts';
import { readCallDirectory } from '../escalations/call-directory.store.ts';
import type { CallDirectory, CalledGroup } from '../escalations/call-directory.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';

const daySeconds = 86_400;
const usualDays = 7;
const mostDays = 400;

/** Who is on duty in a call group, as the dispatcher reads it. */
export function dutyRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/callgroups/:id/duties',
    {
      config: { permission: 'callgroups:read' },
      schema: {
        tags: ['callgroups'],
        summary: 'Who is on duty from when until when, gaps included; by default in the next seven days',
        params: IdParams,
        querystring: ListDuties,
        response: { 200: Duties },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { id } = request.params;
        const { stationIds } = principalOf(request);
        const visible = await findCallGroup(transaction, id, { stationIds, forUpdate: false });
        const directory = await readCallDirectory(transaction);
        const group = directory.groups.get(id);
        if (!visible || !group) throw notFound('call group', id);
        return toWire(directory, group, periodOf(request.query, group.timeZone, transaction.now));
      }),
  );
}

type Period = { from: Date; to: Date };

function periodOf({ from, to }: ListDuties, zone: string, now: Date): Period {
  const begin = from === undefined ? now : parseDateTime(from, zone);
  if (!begin) throw invalid('from', `${from} is not an ISO 8601 date-time`);
  const end = to === undefined ? addSeconds(begin, usualDays * daySeconds) : parseDateTime(to, zone);
  if (!end) throw invalid('to', `${to} is not an ISO 8601 date-time`);
  if (end <= begin) throw invalid('to', 'must be after from');
  if (end > addSeconds(begin, mostDays * daySeconds))
    throw invalid('to', `must be at most ${mostDays} days after from`);
  return { from: begin, to: end };
}

function toWire({ people, disabled }: CallDirectory, group: CalledGroup, { from, to }: Period): Duties {
  const { id, name, timeZone, roster } = group;
  const nameOf = (userId: number) => people.get(userId)?.name ?? disabled.get(userId) ?? '';
  return {
    callGroupId: id,
    callGroup: name,
    timeZone,
    duties: rosterChanges(roster, timeZone, from, to).map(({ startsAt, endsAt, why, teamIds, userIds }) => ({
      from: formatInZone(timeZone, startsAt),
      to: formatInZone(timeZone, endsAt),
      why,
      teamIds: [...teamIds],
      people: userIds.map((userId) => ({ userId, user: nameOf(userId) })),
    })),
  };
}
