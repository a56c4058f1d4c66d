import { IdParams, RecoveryCodes, TotpConfirmation, TotpSecret } from '@tocsin/contract';
import { addSeconds } from '@tocsin/domain';
import { Type } from 'typebox';
import { invalid, notFound, ProblemError } from '../../common/problem.ts';
import { answerWrite } from '../../http/answer.ts';
import { answerSecret } from '../../http/answer-secret.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { base32 } from '../../identity/second-factors/base32.ts';
import {
  confirmPendingTotp,
  deleteTotp,
  savePendingTotp,
  totpSince,
} from '../../identity/second-factors/totp.store.ts';
import { newTotpSecret, totpUri } from '../../identity/second-factors/totp.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenantSettings } from '../tenant.store.ts';
import { afterRemoval, firstRecoveryCodes, lockSelf } from './own-factors.ts';

const path = '/api/v1/users/:id/totp';
const tags = ['users'];
const Empty = Type.Null({ description: 'No content.' });
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });
/** How long a new secret waits for its first code. */
const pendingSeconds = 900;

/** The authenticator app of a user, which shows a new code every 30 seconds. */
export function totpRoutes(app: HttpApp, runtime: Runtime): void {
  beginRoute(app, runtime);
  confirmRoute(app, runtime);
  removeRoute(app, runtime);
}

function beginRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    path,
    {
      config: {
        permission: 'self',
        beforeSecondFactor: true,
        confirm: true,
        bodyOptional: true,
        audit: { action: 'totp.begin', object: 'user' },
      },
      schema: {
        tags,
        summary: 'Make a secret for your authenticator app',
        params: IdParams,
        body: NoMembers,
        response: { 200: TotpSecret },
      },
    },
    (request, reply) =>
      answerSecret(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        const { username } = await lockSelf(transaction, principalOf(request), id);
        const secret = newTotpSecret();
        await savePendingTotp(transaction, runtime.box, { userId: id, secret });
        const { name } = await readTenantSettings(transaction);
        const uri = totpUri(secret, { issuer: `Tocsin ${name}`, account: username });
        return { body: { secret: base32(secret), uri }, audit: { id } };
      }),
  );
}

function confirmRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    `${path}/confirmation`,
    {
      config: {
        permission: 'self',
        beforeSecondFactor: true,
        audit: { action: 'totp.confirm', object: 'user' },
      },
      schema: {
        tags,
        summary: 'Enter the first code of your authenticator app, after which it is needed',
        params: IdParams,
        body: TotpConfirmation,
        response: { 200: RecoveryCodes },
      },
    },
    (request, reply) =>
      answerSecret(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        await lockSelf(transaction, principalOf(request), id);
        const notBefore = addSeconds(transaction.now, -pendingSeconds);
        const entered = { userId: id, code: request.body.code, notBefore };
        const outcome = await confirmPendingTotp(transaction, runtime.box, entered);
        if (outcome === 'none')
          throw new ProblemError(
            'conflict',
            'No secret waits for a code: make one with POST /users/{id}/totp',
          );
        if (outcome === 'wrong')
          throw invalid('/code', 'is not the present code of the app; check the clock of the device');
        const recoveryCodes = await firstRecoveryCodes(transaction, id);
        return { body: { recoveryCodes }, audit: { id, after: { newRecoveryCodes: recoveryCodes.length } } };
      }),
  );
}

function removeRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    path,
    {
      config: {
        permission: 'self',
        beforeSecondFactor: true,
        confirm: true,
        audit: { action: 'totp.delete', object: 'user' },
      },
      schema: { tags, summary: 'Remove your authenticator app', params: IdParams, response: { 204: Empty } },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const user = await lockSelf(transaction, principalOf(request), id);
        if (!(await totpSince(transaction, id))) throw notFound('authenticator app of user', id);
        await deleteTotp(transaction, id);
        await afterRemoval(transaction, user);
        return { body: null, audit: { id } };
      });
      return reply.code(204).send(null);
    },
  );
}
