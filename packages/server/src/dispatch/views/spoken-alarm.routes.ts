import { IdParams, SpokenAlarm, SpokenAlarmQuery } from '@tocsin/contract';
import { requireAlarm } from '../../alarms/alarm.routes.ts';
import { listEnabledChannels } from '../../channels/channel.store.ts';
import { listTemplates } from '../../channels/templates/message-template.store.ts';
import { answerRead } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { spokenAlarm } from './spoken-alarm.ts';

export function spokenAlarmRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/alarms/:id/spoken',
    {
      config: { permission: 'calls:read' },
      schema: {
        tags: ['calls'],
        summary: 'What people hear when they are called about an alarm; calls no one',
        params: IdParams,
        querystring: SpokenAlarmQuery,
        response: { 200: SpokenAlarm },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const record = await requireAlarm(transaction, request.params.id, principalOf(request));
        const [templates, channels] = [
          await listTemplates(transaction),
          await listEnabledChannels(transaction),
        ];
        return spokenAlarm(record, request.query.language ?? 'en', { templates, channels });
      }),
  );
}
