import { IdParams, UserMedia, UserMediaBody } from '@tocsin/contract';
import { keepConfirmations } from '@tocsin/domain';
import { notFound, ProblemError } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Principal } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { confirmationByAdministrator } from '../confirmation-by-administrator.ts';
import { keptMedia, mediumToWire } from '../medium.wire.ts';
import { findUser, type UserRow, updateUserMedia } from '../user.store.ts';
import { lockOwnUser } from './own-user.ts';

const tags = ['users'];
const path = '/api/v1/users/:id/media';
const response = { 200: UserMedia };

/** The media of a person, which they change themselves. */
export function userMediaRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'self' },
      schema: { tags, summary: 'Read the media of a user', params: IdParams, response },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) =>
        mediaToWire(await findOwnUser(transaction, principalOf(request), request.params.id)),
      ),
  );

  app.put(
    path,
    {
      config: { permission: 'self', audit: { action: 'user-media.change', object: 'user' } },
      schema: {
        tags,
        summary: 'Replace the media of a user; people change their own',
        params: IdParams,
        body: UserMediaBody,
        response,
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        const principal = principalOf(request);
        const { user, isSelf } = await lockOwnUser(transaction, principal, { id, what: 'media' });
        // Nobody vouches for an address that a person adds for themself.
        const confirmation = isSelf ? undefined : await confirmationByAdministrator(transaction);
        const media = keepConfirmations(user.media, keptMedia(request.body.media), confirmation);
        await updateUserMedia(transaction, id, media);
        const after = mediaToWire({ media });
        return { body: after, audit: { id, before: mediaToWire(user), after } };
      }),
  );
}

/** Users read their own media, and others need the permission to read people. */
async function findOwnUser(
  transaction: TenantTransaction,
  { userId, name, role, permissions, stationIds }: Principal,
  id: number,
): Promise<UserRow> {
  const isSelf = userId === id;
  if (!isSelf && !permissions.has('people:read'))
    throw new ProblemError('not-allowed', `${name} (${role}) may read only their own media`);
  const visible = { stationIds: isSelf ? undefined : stationIds, forUpdate: false };
  const user = await findUser(transaction, id, visible);
  if (!user) throw notFound('user', id);
  return user;
}

function mediaToWire({ media }: Pick<UserRow, 'media'>): UserMedia {
  return { media: media.map(mediumToWire) };
}
