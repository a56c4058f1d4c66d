import { IdParams, ListTimeline, TimelinePage } from '@tocsin/contract';
import { requireAlarm } from '../../alarms/alarm.routes.ts';
import { answerRead } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { page, pageRequest } from '../../http/page.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { listTimeline } from './timeline.store.ts';
import { toTimelineEntry } from './timeline.wire.ts';

export function timelineRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/alarms/:id/timeline',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags: ['alarms'],
        summary: 'What happened to an alarm, and who was called for it',
        params: IdParams,
        querystring: ListTimeline,
        response: { 200: TimelinePage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const principal = principalOf(request);
        const { tagId, timeZone } = await requireAlarm(transaction, request.params.id, principal);
        const asked = pageRequest(request.query);
        // Without this right, machines see the alarm's history but not who was called.
        const withCalls = principal.permissions.has('calls:read');
        const { rows, total } = await listTimeline(transaction, { tagId, withCalls }, asked);
        return page(
          rows.map((row) => toTimelineEntry(row, timeZone)),
          asked,
          total,
        );
      }),
  );
}
