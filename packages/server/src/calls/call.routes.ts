import { CallAccepted, CallGroups, CallHistoryPage, CallUsers, ListCallHistories } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { resolvePeriod } from '../history/resolve-period.ts';
import { type Answer, answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { awaitOutcome } from './await-outcome.ts';
import { toCallHistory } from './call.wire.ts';
import { callGroups } from './call-groups.ts';
import { listAttempts } from './call-history.store.ts';
import { callUsers } from './call-users.ts';
import { preferredWait } from './preferred-wait.ts';

const tags = ['calls'];
const callConfig = { permission: 'calls:start', intake: true, nullMeansAbsent: true } as const;

export function callRoutes(app: HttpApp, runtime: Runtime): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.post(
    '/api/v1/call/users',
    {
      config: callConfig,
      schema: { tags, summary: 'Call users', body: CallUsers, response: { 200: CallAccepted } },
    },
    async (request, reply) => {
      const accepted = await answerWrite(runtime, { request, reply }, async (transaction) =>
        acceptance(await callUsers(transaction, principalOf(request), request.body)),
      );
      return outcomeIfPreferred(runtime, { request, reply, closing: closing.signal }, accepted);
    },
  );

  app.post(
    '/api/v1/call/groups',
    {
      config: callConfig,
      schema: {
        tags,
        summary: 'Call all users of call groups',
        body: CallGroups,
        response: { 200: CallAccepted },
      },
    },
    async (request, reply) => {
      const accepted = await answerWrite(runtime, { request, reply }, async (transaction) =>
        acceptance(await callGroups(transaction, principalOf(request), request.body)),
      );
      return outcomeIfPreferred(runtime, { request, reply, closing: closing.signal }, accepted);
    },
  );

  callHistoryRoute(app, runtime);
}

function callHistoryRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/call/histories',
    {
      config: { permission: 'calls:read' },
      schema: {
        tags,
        summary: 'List the attempts to reach people',
        querystring: ListCallHistories,
        response: { 200: CallHistoryPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { userId, callGroupId, alarmId, search } = request.query;
        const { stationIds: visibleStationIds } = principalOf(request);
        const period = await resolvePeriod(transaction, request.query);
        const filter = { ...period, visibleStationIds, userId, callGroupId, alarmId, search };
        const asked = pageRequest(request.query, { newestFirst: true });
        const { rows, total } = await listAttempts(transaction, filter, asked);
        return page(rows.map(toCallHistory), asked, total);
      }),
  );
}

function acceptance(callId: number | undefined): Answer<boolean> {
  return callId === undefined ? { body: false } : { body: true, headers: { 'call-id': String(callId) } };
}

/**
 * With `Prefer: wait=N` the answer is whether everybody was reached within that time. A repetition under the
 * same Idempotency-Key calls nobody again, and waits for what becomes of the first call.
 */
async function outcomeIfPreferred(
  runtime: Runtime,
  { request, reply, closing }: { request: FastifyRequest; reply: FastifyReply; closing: AbortSignal },
  accepted: boolean,
): Promise<boolean> {
  const seconds = preferredWait(request.headers['prefer']);
  if (seconds === undefined) return accepted;
  reply.header('preference-applied', `wait=${seconds}`);
  if (!accepted) return false;

  const hungUp = new AbortController();
  reply.raw.once('close', () => hungUp.abort());
  const call = { tenantId: principalOf(request).tenantId, callId: Number(reply.getHeader('call-id')) };
  const signal = AbortSignal.any([closing, hungUp.signal]);
  const outcome = await awaitOutcome(runtime, call, { seconds, signal });
  if (outcome === 'open' && closing.aborted) {
    throw new ProblemError('outcome-unknown', `Call ${call.callId} is stored, but the server is stopping`, {
      headers: { 'retry-after': '2' },
    });
  }
  return outcome === 'reached';
}
