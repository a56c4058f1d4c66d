import { CommandRunPage, ListCommandRuns } from '@tocsin/contract';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { listRuns } from './command-history.store.ts';
import { toCommandRun } from './command-history.wire.ts';

export function commandRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/commands/runs',
    {
      config: { permission: 'commands:read' },
      schema: {
        tags: ['commands'],
        summary: 'List the programs that alarms asked for, and what became of them',
        querystring: ListCommandRuns,
        response: { 200: CommandRunPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { alarmId, scriptId } = request.query;
        const { stationIds: visibleStationIds } = principalOf(request);
        const asked = pageRequest(request.query, { newestFirst: true });
        const { rows, total } = await listRuns(transaction, { visibleStationIds, alarmId, scriptId }, asked);
        return page(rows.map(toCommandRun), asked, total);
      }),
  );
}
