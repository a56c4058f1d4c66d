import {
  type Api,
  createIndexedDbStorage,
  createOutbox,
  noConnection,
  type Outbox,
  ProblemError,
  type Session,
} from '@tocsin/client';
import { readRemembered } from './remembered.ts';

/** The person who uses this phone, also before their session could be restored. */
const phoneUserId = (session: Session): number | undefined => session.user?.id ?? readRemembered()?.user.id;

/**
 * The outbox of this phone. An action waits until its own author is signed in: the cookie of another person, who has signed
 * in meanwhile, must not send it.
 */
export function createPhoneOutbox(session: Session, api: Api): Outbox {
  const userId = () => phoneUserId(session);
  const requireAuthor = async () => {
    const author = userId();
    await session.accessToken();
    if (session.user?.id !== author)
      throw new ProblemError({ status: 0, code: noConnection, title: 'Another person is signed in' });
  };
  return createOutbox({
    storage: createIndexedDbStorage(),
    userId,
    api: {
      get: async (path, query, options) => {
        await requireAuthor();
        return api.get(path, query, options);
      },
      post: async (path, body, options) => {
        await requireAuthor();
        return api.post(path, body, options);
      },
    },
  });
}

const keptMs = 7 * 86_400_000;

/** Forgets what the server answered long ago. What waits is never forgotten. */
export async function dropOldAnswers(outbox: Outbox, now: number): Promise<void> {
  for (const { id, madeAt, progress } of outbox.getSnapshot())
    if (progress.state !== 'waiting' && now - madeAt > keptMs) await outbox.dismiss(id);
}
