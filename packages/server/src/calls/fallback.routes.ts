import { DispatchSettings } from '@tocsin/contract';
import { unknownReference } from '../common/problem.ts';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { findCalledGroups } from './callee.store.ts';
import { readDispatchSettings, saveDispatchSettings } from './fallback.store.ts';

const tags = ['dispatch'];
const response = { 200: DispatchSettings };

/** The settings for all calls of the tenant. */
export function fallbackRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/dispatch/settings',
    {
      config: { permission: 'callgroups:read' },
      schema: { tags, summary: 'Read what holds for all calls', response },
    },
    (request) => answerRead(runtime, request, readDispatchSettings),
  );

  app.put(
    '/api/v1/dispatch/settings',
    {
      config: {
        permission: 'callgroups:write',
        audit: { action: 'dispatch-settings.change', object: 'dispatch-settings' },
      },
      schema: { tags, summary: 'Say what holds for all calls', body: DispatchSettings, response },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const { fallbackCallGroupId: id } = request.body;
        await lockWrites(transaction, 'call-groups');
        const isThere = id === 0 || (await findCalledGroups(transaction, [id], undefined)).has(id);
        if (!isThere) throw unknownReference('/fallbackCallGroupId', id);
        const before = await readDispatchSettings(transaction);
        await saveDispatchSettings(transaction, { ...before, ...request.body });
        const after = await readDispatchSettings(transaction);
        return { body: after, audit: { id: '', before, after } };
      }),
  );
}
