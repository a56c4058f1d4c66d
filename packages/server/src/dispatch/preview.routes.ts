import { CallPreview, CallPreviewRequest } from '@tocsin/contract';
import { addSeconds, formatInZone, parseDateTime } from '@tocsin/domain';
import { maskAddress } from '../calls/call.wire.ts';
import { listServedMedia } from '../calls/callee.store.ts';
import { readCallDirectory } from '../duties/call-directory.store.ts';
import type { CallDirectory } from '../duties/call-directory.ts';
import { stagesOf } from '../duties/escalate-duty.ts';
import { planTurn } from '../duties/plan-turn.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { peekRotation } from './preview.store.ts';
import { type Preview, previewCalls } from './preview-calls.ts';
import { previewedTurn } from './preview-turn.ts';

const usualSeconds = 3_600;

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
  const { turn, timeZone, reason } = await previewedTurn(transaction, principal, asked);
  const from = asked.at === undefined ? transaction.now : parseDateTime(asked.at, timeZone);
  if (!from) throw invalid('/at', `${asked.at} is not an ISO 8601 date-time`);
  const directory = await readCallDirectory(transaction);
  const plan = planTurn(directory, turn);
  if (!plan) {
    return {
      calls: [],
      notices: [],
      truncated: false,
      reason: reason ?? 'nothing asks for anybody to be called',
    };
  }
  const turns = stagesOf(plan).flatMap(({ mode, groupId }) => (mode === 'Turnover' ? [groupId] : []));
  const rotation = await peekRotation(transaction, turns);
  const served = await listServedMedia(transaction);
  const to = addSeconds(from, asked.seconds ?? usualSeconds);
  const found = previewCalls({ plan, directory, rotation, served }, { from, to });
  const shown = toWire(found, directory, timeZone);
  return { ...shown, reason: reason ?? whyNobody(found) };
}

function whyNobody({ calls }: Preview): string {
  if (calls.length === 0) return 'nobody who can be called is on duty or in the groups';
  return calls.some(({ hasChannel }) => hasChannel)
    ? ''
    : 'no channel serves a medium of those who are called';
}

function toWire(
  { calls, notices, truncated }: Preview,
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
    notices: notices.map(({ at, notice }) => ({
      time: formatInZone(timeZone, at),
      kind: notice.kind,
      callGroupId: 'groupId' in notice ? notice.groupId : 0,
      userId: 'userId' in notice ? notice.userId : 0,
    })),
    truncated,
  };
}
