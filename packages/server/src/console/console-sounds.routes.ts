import { ConsoleSounds, consolePriorities } from '@tocsin/contract';
import { invalid, unknownReference } from '../common/problem.ts';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import { entityTag, requireVersion } from '../http/entity-tag.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readConsoleSounds, readContentTypes, saveConsoleSounds } from './console-sounds.store.ts';

const path = '/api/v1/console/sounds';
const tags = ['console'];
const response = { 200: ConsoleSounds };

/** The sounds of the plant, the same at each desk. */
export function consoleSoundsRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'alarms:read' },
      schema: { tags, summary: 'Read the sound of each priority', response },
    },
    async (request, reply) => {
      const { sounds, version } = await answerRead(runtime, request, (transaction) =>
        readConsoleSounds(transaction),
      );
      reply.header('etag', entityTag(version));
      return sounds;
    },
  );

  app.put(
    path,
    {
      config: {
        permission: 'plant:write',
        audit: { action: 'console-sounds.change', object: 'console-sounds' },
      },
      schema: { tags, summary: 'Replace the sound of each priority', body: ConsoleSounds, response },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        await check(transaction, request.body);
        const before = await readConsoleSounds(transaction, { forUpdate: true });
        requireVersion(request, before.version);
        await saveConsoleSounds(transaction, request.body);
        const after = await readConsoleSounds(transaction);
        return {
          body: after.sounds,
          headers: { etag: entityTag(after.version) },
          audit: { id: '', before: before.sounds, after: after.sounds },
        };
      }),
  );
}

async function check(transaction: TenantTransaction, { sounds }: ConsoleSounds): Promise<void> {
  const missing = consolePriorities.find((one) => sounds.every(({ priority }) => priority !== one));
  if (missing !== undefined) throw invalid('/sounds', `must have a sound for priority ${missing}`);
  const files = sounds.map(({ sound, mediaFileId = 0 }) => (sound === 'file' ? mediaFileId : undefined));
  const types = await readContentTypes(
    transaction,
    files.filter((id) => id !== undefined),
  );
  for (const [place, id] of files.entries()) {
    if (id === undefined) continue;
    const pointer = `/sounds/${place}/mediaFileId`;
    const type = types.get(id);
    if (type === undefined) throw unknownReference(pointer, id);
    if (!type.startsWith('audio/')) throw invalid(pointer, `must be a recording, and this file is ${type}`);
  }
}
