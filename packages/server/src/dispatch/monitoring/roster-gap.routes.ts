import { ListRosterGaps, RosterGapsPage } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { listCallGroups } from '../../call-groups/call-group.store.ts';
import { readCallDirectory } from '../../escalations/call-directory.store.ts';
import type { CallDirectory } from '../../escalations/call-directory.ts';
import { answerRead } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { page, pageRequest } from '../../http/page.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { gapsOf } from './roster-gaps.ts';

export function gapRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/callgroups/gaps',
    {
      config: { permission: 'callgroups:read' },
      schema: {
        tags: ['callgroups'],
        summary: 'When nobody is on duty, in the next 30 days',
        querystring: ListRosterGaps,
        response: { 200: RosterGapsPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query);
        const { stationIds } = principalOf(request);
        const { rows, total } = await listCallGroups(transaction, { ...request.query, stationIds }, asked);
        const directory = await readCallDirectory(transaction);
        const items = rows.map(({ id, name }) => ({
          id,
          name,
          gaps: gapsToWire(directory, id, transaction.now),
        }));
        return page(items, asked, total);
      }),
  );
}

function gapsToWire(directory: CallDirectory, groupId: number, now: Date) {
  const group = directory.groups.get(groupId);
  if (!group) return [];
  const { timeZone } = group;
  return gapsOf(directory, group, now).map(({ startsAt, endsAt }) => ({
    startTime: formatInZone(timeZone, startsAt),
    endTime: formatInZone(timeZone, endsAt),
  }));
}
