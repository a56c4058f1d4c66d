import { CallPreview, CallPreviewRequest } from '@tocsin/contract';
import { addSeconds, formatInZone, parseDateTime } from '@tocsin/domain';
import { maskAddress } from '../../calls/call.wire.ts';
import { listServedMedia } from '../../calls/callee.store.ts';
import { invalid } from '../../common/problem.ts';
import { stagesOf } from '../../escalations/advance-escalation.ts';
import { readCallDirectory } from '../../escalations/call-directory.store.ts';
import type { CallDirectory } from '../../escalations/call-directory.ts';
import { planOccasion } from '../../escalations/plan-occasion.ts';
import { answerRead } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Principal } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { peekRotation } from './preview.store.ts';
import { type Preview, previewCalls } from './preview-calls.ts';
import { previewSubject } from './preview-plan.ts';

const defaultSeconds = 3_600;

export function previewRoutes(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/call/preview',
    {
      config: { permission: 'calls:read', audit: 'nothing' },
      schema: {
        tags: ['calls'],
        summary: 'Who would be called, when, how and why, if nobody answered; calls no one',
        body: CallPreviewRequest,
        response: { 200: CallPreview },
      },
    },
    (request) =>
      answerRead(runtime, request, (transaction) => preview(transaction, principalOf(request), request.body)),
  );
}

async function preview(
  transaction: TenantTransaction,
  principal: Principal,
  asked: CallPreviewRequest,
): Promise<CallPreview> {
  const { occasion, timeZone, reason } = await previewSubject(transaction, principal, asked);
  const from = asked.at === undefined ? transaction.now : parseDateTime(asked.at, timeZone);
  if (!from) throw invalid('/at', `${asked.at} is not an ISO 8601 date-time`);
  const directory = await readCallDirectory(transaction);
  const plan = planOccasion(directory, occasion);
  if (!plan) {
    return {
      calls: [],
      notices: [],
      truncated: false,
      reason: reason ?? 'nothing asks for anybody to be called',
    };
  }
  const turnoverGroupIds = stagesOf(plan).flatMap(({ mode, groupId }) =>
    mode === 'Turnover' ? [groupId] : [],
  );
  const rotation = await peekRotation(transaction, turnoverGroupIds);
  const served = await listServedMedia(transaction);
  const to = addSeconds(from, asked.seconds ?? defaultSeconds);
  const found = previewCalls({ plan, directory, rotation, served }, { from, to });
  const shown = toWire(found, directory, timeZone);
  return { ...shown, reason: reason ?? whyNobody(found) };
}

function whyNobody({ calls, events }: Preview): string {
  const isQuiet = events.some(({ event }) => event.kind === 'quiet');
  if (calls.length === 0 && isQuiet) return 'everybody who could be called is quiet';
  if (calls.length === 0) return 'nobody who can be called is on duty or in the groups';
  return calls.some(({ hasChannel }) => hasChannel)
    ? ''
    : 'no channel serves a medium of those who are called';
}

function toWire(
  { calls, events, truncated }: Preview,
  directory: CallDirectory,
  timeZone: string,
): Omit<CallPreview, 'reason'> {
  return {
    calls: calls.map(({ at, draft, ...rest }) => ({
      ...rest,
      time: formatInZone(timeZone, at),
      userId: draft.userId,
      user: directory.people.get(draft.userId)?.name ?? '',
      medium: draft.medium.kind,
      address: maskAddress(draft.medium.address),
      callGroupId: draft.groupId,
      callGroup: directory.groups.get(draft.groupId)?.name ?? '',
      attempt: draft.try,
    })),
    notices: events.map(({ at, event }) => ({
      time: formatInZone(timeZone, at),
      kind: event.kind,
      callGroupId: 'groupId' in event ? event.groupId : 0,
      userId: 'userId' in event ? event.userId : 0,
      ...(event.kind === 'quiet' && { until: formatInZone(timeZone, new Date(event.untilMs)) }),
    })),
    truncated,
  };
}
