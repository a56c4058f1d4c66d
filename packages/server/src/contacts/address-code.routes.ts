import {
  AddressCodeRequest,
  AddressCodeSent,
  AddressConfirmation,
  IdParams,
  UserMedium,
} from '@tocsin/contract';
import { type ContactMedium, formatUtc, maxWrongTries } from '@tocsin/domain';
import type { FastifyRequest } from 'fastify';
import type { AnswerKeys } from '../channels/port/answer-code.ts';
import { invalid, ProblemError } from '../common/problem.ts';
import { type Answer, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { type Principal, requireWholeTenant } from '../http/principal.ts';
import { keptAddress, mediumToWire } from '../people/medium.wire.ts';
import { lockOwnUser } from '../people/self-service/own-user.ts';
import type { UserRow } from '../people/user.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { confirmAddress, enterCode, findMedium, type WrongCode } from './confirm-address.ts';
import { sendAddressCode } from './send-address-code.ts';

const tags = ['users'];
const path = '/api/v1/users/:id/media';

/** People prove that an address is theirs with a code that is sent to it. */
export function addressCodeRoutes(app: HttpApp, runtime: Runtime, keys: AnswerKeys): void {
  app.post(
    `${path}/code`,
    {
      config: { permission: 'self', audit: { action: 'user-media.send-code', object: 'user' } },
      schema: {
        tags,
        summary: 'Send a code to an address of a user',
        params: IdParams,
        body: AddressCodeRequest,
        response: { 200: AddressCodeSent },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        // One at a time, so that concurrent requests do not pass the limits together.
        await lockWrites(transaction, 'address-codes');
        const { user, medium } = await lockMedium(transaction, request);
        const { kind, address } = medium;
        const order = { userId: user.id, medium: { kind, address }, requestedBy: principalOf(request).name };
        const { validUntil } = await sendAddressCode(transaction, keys, order);
        return { body: { validUntil: formatUtc(validUntil) }, audit: { id: user.id, after: order.medium } };
      }),
  );

  app.post(
    `${path}/confirmation`,
    {
      config: { permission: 'self', audit: { action: 'user-media.confirm', object: 'user' } },
      schema: {
        tags,
        summary: 'Confirm an address of a user with the code, or as an administrator without one',
        params: IdParams,
        body: AddressConfirmation,
        response: { 200: UserMedium },
      },
    },
    async (request, reply) => {
      // A wrong code is answered after the commit, because it counts.
      const entered = await answerWrite(runtime, { request, reply }, (transaction) =>
        confirm(transaction, keys, request),
      );
      if ('medium' in entered) return entered.medium;
      throw invalid('/code', faults[entered.judgement](entered.triesLeft));
    },
  );
}

type Entered = { medium: UserMedium } | WrongCode;

const faults: Record<WrongCode['judgement'], (triesLeft: number) => string> = {
  wrong: (triesLeft) => `is not the last one that was sent to the address; ${triesLeft} tries are left`,
  locked: () => `was wrong ${maxWrongTries} times: ask for a new one`,
  expired: () => 'is too old: ask for a new one',
  none: () => 'cannot be right, because none is awaited for the address: ask for a new one',
};

type MediumRequest<Body> = FastifyRequest<{ Params: IdParams; Body: Body }>;

/** The user of the request, locked, and the medium that it names. */
async function lockMedium(
  transaction: TenantTransaction,
  request: MediumRequest<AddressCodeRequest>,
): Promise<{ user: UserRow; medium: ContactMedium }> {
  const { id } = request.params;
  const { kind } = request.body;
  const { user } = await lockOwnUser(transaction, principalOf(request), { id, what: 'addresses' });
  const medium = findMedium(user, { kind, address: keptAddress(request.body) });
  if (!medium) throw invalid('/address', `is not among the media of user ${id}: save it there first`);
  return { user, medium };
}

async function confirm(
  transaction: TenantTransaction,
  keys: AnswerKeys,
  request: MediumRequest<AddressConfirmation>,
): Promise<Answer<Entered>> {
  const { code: given, override = false } = request.body;
  const { user, medium } = await lockMedium(transaction, request);
  const { id } = user;
  const before = mediumToWire(medium);
  if (override) {
    requireAdministrator(principalOf(request));
    const after = mediumToWire(await confirmAddress(transaction, { user, medium, by: 'administrator' }));
    return { body: { medium: after }, audit: { id, before, after } };
  }
  if (given === undefined) throw invalid('/code', 'is missing');
  const entered = await enterCode(transaction, keys, { user, medium, given });
  if ('judgement' in entered) {
    const { judgement } = entered;
    return { body: entered, audit: { id, before, after: { ...before, codeRefused: judgement } } };
  }
  const after = mediumToWire(entered.confirmed);
  return { body: { medium: after }, audit: { id, before, after } };
}

/** To vouch for an address is the right of those who may write the media of others. */
function requireAdministrator(principal: Principal): void {
  requireWholeTenant(principal);
  const { name, role, permissions } = principal;
  if (permissions.has('people:write')) return;
  throw new ProblemError('not-allowed', `${name} (${role}) lacks people:write: enter the code instead`);
}
