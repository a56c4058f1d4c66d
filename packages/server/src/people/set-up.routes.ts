import { CreatedId, SetUp, SetUpState } from '@tocsin/contract';
import { ProblemError } from '../common/problem.ts';
import { auditOrigin } from '../http/audit-origin.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { setUp } from './set-up.ts';
import { listTenantIds } from './tenant.store.ts';

export function setUpRoutes(app: HttpApp, runtime: Runtime): void {
  // An installation that is set up stays so: the database is not asked again.
  let isSetUp = false;

  app.get(
    '/api/v1/setup',
    {
      config: { permission: 'public' },
      schema: {
        tags: ['setup'],
        summary: 'Whether the installation waits for its first administrator',
        response: { 200: SetUpState },
      },
    },
    async () => {
      isSetUp ||= (await outsideTenants(runtime.database, listTenantIds)).length > 0;
      return { needed: !isSetUp };
    },
  );

  app.post(
    '/api/v1/setup',
    {
      config: { permission: 'public', audit: { action: 'tenant.create', object: 'tenant' } },
      schema: {
        tags: ['setup'],
        summary: 'Create the first administrator of an empty installation',
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
