import { CallAccepted, CallGroups, CallHistoryPage, CallUsers, ListCallHistories } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';
import { resolvePeriod } from '../history/resolve-period.ts';
import { type Answer, answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { stationsFor } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type AwaitOutcome, createAwaitOutcome } from './await-outcome.ts';
import { toCallHistory } from './call.wire.ts';
import { callGroups } from './call-groups.ts';
import { listAttempts } from './call-history.store.ts';
import type { CallRefusal } from './call-refusal.ts';
import { callUsers } from './call-users.ts';
import type { OutcomeSignal } from './outcome-signal.ts';
import { preferredWait } from './preferred-wait.ts';
import { createWaitLimits, type WaitLimits } from './wait-limits.ts';

const tags = ['calls'];
/** Requests of a tenant that may wait for an outcome at one server. */
const maxWaiting = 200;
const callConfig = {
  permission: 'calls:start',
  intake: true,
  nullMeansAbsent: true,
  audit: 'calls',
} as const;

export function callRoutes(app: HttpApp, runtime: Runtime, outcomeSignal: OutcomeSignal): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const awaitOutcome = createAwaitOutcome(runtime, outcomeSignal);
  const waiting = { limits: createWaitLimits(maxWaiting), closing: closing.signal, awaitOutcome };

  app.post(
    '/api/v1/call/users',
    {
      config: callConfig,
      schema: { tags, summary: 'Call users', body: CallUsers, response: { 200: CallAccepted } },
    },
    async (request, reply) => {
      const accepted = await answerWrite(runtime, { request, reply }, async (transaction) =>
        acceptance(request, await callUsers(transaction, principalOf(request), request.body)),
      );
      return outcomeIfPreferred({ request, reply, ...waiting }, accepted);
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
        acceptance(request, await callGroups(transaction, principalOf(request), request.body)),
      );
      return outcomeIfPreferred({ request, reply, ...waiting }, accepted);
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
        const { stationIds } = principalOf(request);
        const named = { users: userId, callGroups: callGroupId };
        const visibleStationIds = await stationsFor(transaction, stationIds, named);
        const period = await resolvePeriod(transaction, request.query);
        const filter = { ...period, visibleStationIds, userId, callGroupId, alarmId, search };
        const asked = pageRequest(request.query, { newestFirst: true });
        const { rows, total } = await listAttempts(transaction, filter, asked);
        return page(rows.map(toCallHistory), asked, total);
      }),
  );
}

/** The interface answers a plain boolean; the reason for `false` is in a header and in the log. */
function acceptance(request: FastifyRequest, called: number | CallRefusal): Answer<boolean> {
  if (typeof called === 'number') return { body: true, headers: { 'call-id': String(called) } };
  const { refusal } = called;
  const { tenantId, subject } = principalOf(request);
  request.log.warn({ tenant: tenantId, subject, refusal }, 'call refused');
  return { body: false, headers: { 'call-refusal': refusal } };
}

type WaitRequest = {
  request: FastifyRequest;
  reply: FastifyReply;
  limits: WaitLimits;
  closing: AbortSignal;
  awaitOutcome: AwaitOutcome;
};

/**
 * With `Prefer: wait=N` the answer is whether everybody was reached within that time. A repetition with the same
 * Idempotency-Key calls nobody again and waits for the outcome of the first call. If too many requests of the tenant
 * wait, the preference is not applied; the call itself is never refused for that.
 */
async function outcomeIfPreferred(waiting: WaitRequest, accepted: boolean): Promise<boolean> {
  const { request, reply, limits } = waiting;
  const seconds = preferredWait(request.headers['prefer']);
  if (seconds === undefined) return accepted;
  const release = limits.acquire(principalOf(request).tenantId);
  if (!release) return accepted;
  try {
    reply.header('preference-applied', `wait=${seconds}`);
    return accepted && (await isReachedWithin(waiting, seconds));
  } finally {
    release();
  }
}

async function isReachedWithin(
  { request, reply, closing, awaitOutcome }: WaitRequest,
  seconds: number,
): Promise<boolean> {
  const hungUp = new AbortController();
  reply.raw.once('close', () => hungUp.abort());
  const { tenantId } = principalOf(request);
  const call = { tenantId, callId: Number(reply.getHeader('call-id')) };
  const signal = AbortSignal.any([closing, hungUp.signal]);
  const outcome = await awaitOutcome(call, { seconds, signal });
  if (outcome === 'open' && closing.aborted) {
    throw new ProblemError('outcome-unknown', `Call ${call.callId} is stored, but the server is stopping`, {
      headers: { 'retry-after': '2' },
    });
  }
  return outcome === 'reached';
}
