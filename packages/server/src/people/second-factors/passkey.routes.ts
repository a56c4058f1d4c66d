import { IdParams, PasskeyBody, PasskeyCreated, PasskeyParams, WebAuthnJson } from '@tocsin/contract';
import { Type } from 'typebox';
import { notFound } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { answerSecret } from '../../http/answer-secret.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { addPasskey } from '../../identity/second-factors/add-passkey.ts';
import { deletePasskey, listPasskeys } from '../../identity/second-factors/passkey.store.ts';
import { creationOptions } from '../../identity/second-factors/passkey-options.ts';
import { relyingPartyOf, requireHostName } from '../../identity/second-factors/relying-party.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { afterRemoval, firstRecoveryCodes, lockSelf, readSelf } from './own-factors.ts';
import { passkeyToWire } from './passkey.wire.ts';

const path = '/api/v1/users/:id/passkeys';
const tags = ['users'];
const Empty = Type.Null({ description: 'No content.' });
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });
const setUp = { permission: 'self', beforeSecondFactor: true } as const;

/** The passkeys of a user: telephones, computers and security keys that prove who they are. */
export function passkeyRoutes(app: HttpApp, runtime: Runtime, publicUrl: string): void {
  optionsRoute(app, runtime, publicUrl);
  addRoute(app, runtime, publicUrl);
  removeRoute(app, runtime);
}

function optionsRoute(app: HttpApp, runtime: Runtime, publicUrl: string): void {
  app.post(
    `${path}/options`,
    {
      config: { ...setUp, confirm: true, bodyOptional: true, audit: 'nothing' },
      schema: {
        tags,
        summary: 'Get what a browser needs to make a passkey for you',
        params: IdParams,
        body: NoMembers,
        response: { 200: WebAuthnJson },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { tenantId, now } = transaction;
        const { id: userId } = request.params;
        const relyingParty = relyingPartyOf(request, publicUrl);
        const { username, name } = await readSelf(transaction, principalOf(request), userId);
        requireHostName(relyingParty);
        const passkeys = await listPasskeys(transaction, userId);
        const owner = { tenantId, userId, username, name, passkeys };
        return creationOptions(runtime.box, relyingParty, { owner, now });
      }),
  );
}

function addRoute(app: HttpApp, runtime: Runtime, publicUrl: string): void {
  app.post(
    path,
    {
      config: { ...setUp, audit: { action: 'passkey.create', object: 'user' } },
      schema: {
        tags,
        summary: 'Add a passkey to yourself',
        params: IdParams,
        body: PasskeyBody,
        response: { 200: PasskeyCreated },
      },
    },
    (request, reply) =>
      answerSecret(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        await lockSelf(transaction, principalOf(request), id);
        const relyingParty = relyingPartyOf(request, publicUrl);
        const { name, response } = request.body;
        const row = await addPasskey(transaction, runtime.box, { userId: id, name, response, relyingParty });
        const passkey = passkeyToWire(row);
        const recoveryCodes = await firstRecoveryCodes(transaction, id);
        const after = { passkey, newRecoveryCodes: recoveryCodes.length };
        return { body: { ...passkey, recoveryCodes }, audit: { id, after } };
      }),
  );
}

function removeRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    `${path}/:passkey`,
    {
      config: { ...setUp, confirm: true, audit: { action: 'passkey.delete', object: 'user' } },
      schema: {
        tags,
        summary: 'Remove a passkey of yours',
        params: PasskeyParams,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      const { id, passkey } = request.params;
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const user = await lockSelf(transaction, principalOf(request), id);
        const name = await deletePasskey(transaction, { userId: id, id: passkey });
        if (name === undefined) throw notFound('passkey', passkey);
        await afterRemoval(transaction, user);
        return { body: null, audit: { id, before: { passkey: { id: passkey, name } } } };
      });
      return reply.code(204).send(null);
    },
  );
}
