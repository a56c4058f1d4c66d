import { actionTypes, callStatuses, defaultLimit, largestLimit, Meta } from '@tocsin/contract';
import { formatInZone, stateBits } from '@tocsin/domain';
import { version } from '../common/version.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import { bodyLimit, type HttpApp } from '../http/http-app.ts';
import type { Principal } from '../http/principal.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readTenantSettings } from './tenant.store.ts';

const priorities = ['Critical', 'High', 'Medium', 'Low'].map((label, index) => ({
  code: index + 1,
  label,
  order: index + 1,
}));

const states = [
  { value: stateBits.active, label: 'Active' },
  { value: stateBits.unacknowledged, label: 'Not acknowledged' },
  { value: stateBits.maskedByUser, label: 'Masked by a user' },
  { value: stateBits.maskedByRule, label: 'Masked by a rule' },
  { value: stateBits.connectionFailure, label: 'Connection failure' },
  { value: stateBits.notPolled, label: 'Not polled' },
].map(({ value, label }) => ({ bit: Math.log2(value), value, label }));

/** The caller, the enumerations and the limits of the interface, for clients. */
export function metaRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/meta',
    {
      config: { permission: 'meta:read', beforeSecondFactor: true },
      schema: { tags: ['meta'], summary: 'Read version, enumerations and limits', response: { 200: Meta } },
    },
    (request) => answerRead(runtime, request, (transaction) => readMeta(transaction, principalOf(request))),
  );
}

async function readMeta(transaction: TenantTransaction, principal: Principal): Promise<Meta> {
  const { userId = 0, name, role, permissions, stationIds = [] } = principal;
  const tenant = await readTenantSettings(transaction);
  const zone = await zoneOfStation(transaction, stationIds[0]);
  return {
    version,
    time: formatInZone(zone, transaction.now),
    tenant: { id: transaction.tenantId, name: tenant.name },
    user: { id: userId, name, role, stationIds: [...stationIds], permissions: [...permissions] },
    priorities,
    states,
    actionTypes: [...actionTypes],
    beaconTypes: ['Undefined', 'Nfc'],
    callStatuses: [...callStatuses],
    limits: { defaultLimit, largestLimit, bodyBytes: bodyLimit, maskSeconds: tenant.maximumMaskSeconds },
  };
}
