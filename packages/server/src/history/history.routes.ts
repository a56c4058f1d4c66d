import {
  type AlarmHistory,
  AlarmHistoryPage,
  type AlarmIntervention,
  AlarmInterventionPage,
  type AlarmStatistic,
  AlarmStatisticPage,
  ListHistories,
} from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { type Page, page, pageRequest } from '../http/page.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { findAcknowledgerNames } from './acknowledger.store.ts';
import { readHistories } from './history.store.ts';
import { toAlarmHistory, toAlarmIntervention, toAlarmStatistic } from './history.wire.ts';
import { readInterventions } from './interventions.store.ts';
import { type OccurrenceScope, resolveScope } from './occurrence-scope.store.ts';
import { resolveFilter } from './resolve-filter.ts';
import { readStatistics } from './statistics.store.ts';

const config = { permission: 'history:read' } as const;
const described = { tags: ['alarms'], querystring: ListHistories };

/** Fastify prefers these fixed paths to `/api/v1/alarms/:id`. */
export function historyRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/alarms/histories',
    {
      config,
      schema: {
        ...described,
        summary: 'List what happened, occurrence by occurrence',
        response: { 200: AlarmHistoryPage },
      },
    },
    (request) => answerRead(runtime, request, (transaction) => histories(transaction, request)),
  );

  app.get(
    '/api/v1/alarms/statistics',
    {
      config,
      schema: {
        ...described,
        summary: 'Count failures and add up their time, tag by tag',
        response: { 200: AlarmStatisticPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) =>
        withoutOffset(await statistics(transaction, request)),
      ),
  );

  app.get(
    '/api/v1/alarms/interventions',
    {
      config,
      schema: {
        ...described,
        summary: 'Count acknowledgments and how long they took, user by user',
        response: { 200: AlarmInterventionPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) =>
        withoutOffset(await interventions(transaction, request)),
      ),
  );
}

type HistoryRequest = Pick<FastifyRequest, 'principal'> & { query: ListHistories };

async function histories(
  transaction: TenantTransaction,
  request: HistoryRequest,
): Promise<Page<AlarmHistory>> {
  const scope = await scopeOf(transaction, request);
  const asked = pageRequest(request.query, { newestFirst: true });
  const { rows, total } = await readHistories(transaction, scope, asked);
  return page(rows.map(toAlarmHistory), asked, total);
}

async function statistics(
  transaction: TenantTransaction,
  request: HistoryRequest,
): Promise<Page<AlarmStatistic>> {
  const scope = await scopeOf(transaction, request);
  const asked = pageRequest(request.query);
  const { rows, total } = await readStatistics(transaction, scope, asked);
  return page(rows.map(toAlarmStatistic), asked, total);
}

async function interventions(
  transaction: TenantTransaction,
  request: HistoryRequest,
): Promise<Page<AlarmIntervention>> {
  const scope = await scopeOf(transaction, request);
  const asked = pageRequest(request.query);
  const { rows, total } = await readInterventions(transaction, scope, asked);
  const names = await findAcknowledgerNames(transaction, rows);
  const items = rows.map((row) => toAlarmIntervention(row, names.get(row.userId) ?? ''));
  return page(items, asked, total);
}

async function scopeOf(transaction: TenantTransaction, request: HistoryRequest): Promise<OccurrenceScope> {
  const filter = await resolveFilter(transaction, principalOf(request), request.query);
  return resolveScope(transaction, filter);
}

/** These answers have no `offset`, although the parameter works. */
function withoutOffset<Item>({ items, paging: { limit, total } }: Page<Item>) {
  return { items, paging: { limit, total } };
}
