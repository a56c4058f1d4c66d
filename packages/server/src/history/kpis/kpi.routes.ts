import { AlarmKpis, ReadKpis } from '@tocsin/contract';
import { answerRead } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { resolveKpiPeriod } from './kpi-period.ts';
import { readKpis } from './read-kpis.ts';

export function kpiRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/alarms/kpis',
    {
      config: { permission: 'history:read' },
      schema: {
        tags: ['alarms'],
        summary: 'Read the key figures of the alarm system, as ISA-18.2 names them',
        querystring: ReadKpis,
        response: { 200: AlarmKpis },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { query } = request;
        const period = await resolveKpiPeriod(transaction, query);
        const filter = await resolveFilter(transaction, principalOf(request), query);
        return readKpis(transaction, filter, { period, operators: query.operators ?? 1 });
      }),
  );
}
