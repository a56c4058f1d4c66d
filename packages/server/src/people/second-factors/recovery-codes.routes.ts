import { IdParams, RecoveryCodes } from '@tocsin/contract';
import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import { answerSecret } from '../../http/answer-secret.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { replaceRecoveryCodes } from '../../identity/second-factors/recovery-code.store.ts';
import { secondFactorMethods } from '../../identity/second-factors/second-factor-methods.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { lockSelf } from './own-factors.ts';

/** New recovery codes for a user who has used or lost theirs. */
export function recoveryCodesRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/users/:id/recovery-codes',
    {
      config: {
        permission: 'self',
        beforeSecondFactor: true,
        confirm: true,
        bodyOptional: true,
        audit: { action: 'recovery-codes.create', object: 'user' },
      },
      schema: {
        tags: ['users'],
        summary: 'Make new recovery codes for yourself; the former ones end',
        params: IdParams,
        body: Type.Object({}, { description: 'Nothing is asked for.' }),
        response: { 200: RecoveryCodes },
      },
    },
    (request, reply) =>
      answerSecret(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        await lockSelf(transaction, principalOf(request), id);
        if ((await secondFactorMethods(transaction, id)).length === 0)
          throw new ProblemError('conflict', 'Recovery codes stand in for a second factor: set one up first');
        const recoveryCodes = await replaceRecoveryCodes(transaction, id);
        return { body: { recoveryCodes }, audit: { id, after: { newRecoveryCodes: recoveryCodes.length } } };
      }),
  );
}
