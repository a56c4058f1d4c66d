import { ConsoleSettings, ConsoleSettingsBody } from '@tocsin/contract';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import { entityTag, requireVersion } from '../http/entity-tag.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readConsoleSettings, saveConsoleSettings, withDefaults } from './console-settings.store.ts';
import { ownUserId } from './own-user.ts';

const path = '/api/v1/me/console-settings';
const tags = ['console'];
const response = { 200: ConsoleSettings };

/** How the caller wants the console, at whatever desk. */
export function consoleSettingsRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'self', beforeSecondFactor: true, atDesk: true },
      schema: { tags, summary: 'Read the settings of the console for the caller', response },
    },
    async (request, reply) => {
      const userId = ownUserId(principalOf(request));
      const { settings, version } = await answerRead(runtime, request, (transaction) =>
        readConsoleSettings(transaction, userId),
      );
      reply.header('etag', entityTag(version));
      return settings;
    },
  );

  app.put(
    path,
    {
      config: {
        permission: 'self',
        atDesk: true,
        audit: { action: 'console-settings.change', object: 'user' },
      },
      schema: {
        tags,
        summary: 'Replace the settings of the console for the caller',
        body: ConsoleSettingsBody,
        response,
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const userId = ownUserId(principalOf(request));
        const before = await readConsoleSettings(transaction, userId, { forUpdate: true });
        requireVersion(request, before.version);
        await saveConsoleSettings(transaction, userId, withDefaults(request.body));
        const after = await readConsoleSettings(transaction, userId);
        return {
          body: after.settings,
          headers: { etag: entityTag(after.version) },
          audit: { id: userId, before: before.settings, after: after.settings },
        };
      }),
  );
}
