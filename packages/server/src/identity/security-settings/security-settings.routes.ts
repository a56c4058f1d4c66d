import { SecuritySettings, SecuritySettingsBody } from '@tocsin/contract';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import { entityTag, requireVersion } from '../../http/entity-tag.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { requireWholeTenant } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readSecuritySettings, saveSecuritySettings } from './security-settings.store.ts';

const path = '/api/v1/security-settings';
const tags = ['security'];
const response = { 200: SecuritySettings };

/** Rules of the tenant for log-ins and dangerous actions. */
export function securitySettingsRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'people:read' },
      schema: { tags, summary: 'Read the rules for log-ins and dangerous actions', response },
    },
    async (request, reply) => {
      const { settings, version } = await answerRead(runtime, request, (transaction) =>
        readSecuritySettings(transaction),
      );
      reply.header('etag', entityTag(version));
      return settings;
    },
  );

  app.put(
    path,
    {
      config: {
        permission: 'people:write',
        confirm: true,
        audit: { action: 'security-settings.change', object: 'security-settings' },
      },
      schema: {
        tags,
        summary: 'Replace the rules for log-ins and dangerous actions',
        body: SecuritySettingsBody,
        response,
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const before = await readSecuritySettings(transaction, { forUpdate: true });
        requireVersion(request, before.version);
        await saveSecuritySettings(transaction, request.body);
        const after = await readSecuritySettings(transaction);
        return {
          body: after.settings,
          headers: { etag: entityTag(after.version) },
          audit: { id: '', before: before.settings, after: after.settings },
        };
      }),
  );
}
