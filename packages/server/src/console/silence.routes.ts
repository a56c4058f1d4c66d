import { SilenceBody, Silenced } from '@tocsin/contract';
import { notFound } from '../common/problem.ts';
import { answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { visibleAlarms } from './silence.store.ts';

/** Records that somebody has silenced the horn of a desk. The alarms, their calls and other desks are not affected. */
export function silenceRoutes(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/console/silences',
    {
      config: { permission: 'alarms:act', audit: { action: 'desk.silence', object: 'desk' } },
      schema: {
        tags: ['console'],
        summary: 'Record that the horn of a desk was silenced',
        description: 'Only an entry of the audit trail: alarms, calls and other desks stay as they are.',
        body: SilenceBody,
        response: { 200: Silenced },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { alarmIds: named, desk } = request.body;
        const alarmIds = await visibleAlarms(transaction, named, principalOf(request).stationIds);
        // An alarm can end while its horn sounds, so those that are left are recorded.
        if (alarmIds.length === 0) throw notFound('alarm', named.join(', '));
        return { body: { alarmIds }, audit: { id: desk, after: { alarmIds } } };
      }),
  );
}
