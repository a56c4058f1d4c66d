import { CreatedId, SetUp } from '@tocsin/contract';
import { auditOrigin } from '../http/audit-origin.ts';
import type { HttpApp } from '../http/http-app.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { setUp } from './set-up.ts';

export function setUpRoutes(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/setup',
    {
      config: { permission: 'public', audit: { action: 'tenant.create', object: 'tenant' } },
      schema: {
        tags: ['setup'],
        summary: 'Make the first administrator of an empty installation',
        body: SetUp,
        response: { 200: CreatedId },
      },
    },
    async (request) => {
      const { body, log } = request;
      const outcome = await setUp(runtime, body, auditOrigin(request));
      if (outcome.kind === 'done') {
        log.info({ userId: outcome.userId }, 'installation set up');
        return outcome.userId;
      }
      if (outcome.kind === 'too-late')
        throw new ProblemError('conflict', 'The installation is set up already');
      log.warn('wrong set-up code');
      throw new ProblemError(
        'not-allowed',
        'The code is wrong, or was tried too often; a restart of the server prints a new one',
      );
    },
  );
}
