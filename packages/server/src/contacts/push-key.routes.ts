import { PushKey } from '@tocsin/contract';
import { listEnabledChannels } from '../channels/channel.store.ts';
import { answerRead } from '../http/answer.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';

/** The key with which the browser of a person subscribes to messages. It is public, so everybody who logs in may read it. */
export function pushKeyRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/me/push-key',
    {
      config: { permission: 'self' },
      schema: {
        tags: ['users'],
        summary: 'Read the public key with which a browser subscribes to push messages',
        response: { 200: PushKey },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const channel = (await listEnabledChannels(transaction)).find(({ kind }) => kind === 'web-push');
        const publicKey = channel && publicKeyIn(channel.settings);
        return { ...(publicKey !== undefined && { publicKey }) };
      }),
  );
}

function publicKeyIn(settings: unknown): string | undefined {
  const { publicKey } = settings as { publicKey?: unknown };
  return typeof publicKey === 'string' ? publicKey : undefined;
}
