import type { Channel, ChannelHealth, ChannelKind as WireKind } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { ProblemError } from '../common/problem.ts';
import type { SecretBox } from '../common/secret-box.ts';
import type { ChannelHealthRow, ChannelRow, DeliveryCount, NewChannel } from './channel.store.ts';
import type { ChannelRecord, Secrets } from './channel-record.ts';
import type { ChannelKind } from './port/channel.ts';

/** Opens and seals a tenant's secrets; `box` is undefined on a server without a secrets key. */
export type TenantBox = { readonly box: SecretBox | undefined; readonly tenantId: number };

export function channelToWire(row: ChannelRow, tenantBox: TenantBox): Channel {
  const { id, name, kind, medium, priority, enabled, lastChange } = row;
  return {
    id,
    name,
    kind,
    medium: medium as Channel['medium'],
    priority,
    enabled,
    settings: storedSettings(row),
    secretsSet: Object.keys(openSecrets(row, tenantBox) ?? {}),
    lastChange: formatUtc(lastChange),
  };
}

export function kindToWire(kind: string, { title, description, media, settings }: ChannelKind): WireKind {
  // Drops refinements, which are functions and cannot be JSON.
  const schema = JSON.parse(JSON.stringify(settings)) as Record<string, unknown>;
  return { kind, title, description, media: [...media], settings: schema };
}

export function storedSettings({ settings }: Pick<ChannelRow, 'settings'>): Record<string, unknown> {
  return typeof settings === 'object' && settings !== null ? { ...settings } : {};
}

/** The secrets of a channel; undefined if no key of this server opens them. */
export function openSecrets({ id, secrets }: ChannelRow, { box, tenantId }: TenantBox): Secrets | undefined {
  if (secrets === null) return {};
  const text = box?.open(secrets, placeOfChannel(tenantId, id));
  return text === undefined ? undefined : (JSON.parse(text) as Secrets);
}

export function toNewChannel(
  { secrets, ...record }: ChannelRecord,
  { box, tenantId }: TenantBox,
): NewChannel {
  const isEmpty = Object.keys(secrets).length === 0;
  if (!isEmpty && box === undefined)
    throw new ProblemError('conflict', 'This server has no SECRETS_KEY_FILE, so it keeps no secrets');
  const sealSecrets = (id: number) =>
    isEmpty || box === undefined ? null : box.seal(JSON.stringify(secrets), placeOfChannel(tenantId, id));
  return { ...record, sealSecrets };
}

/** The context that the secrets of a channel are sealed with. */
export function placeOfChannel(tenantId: number, id: number): string {
  return `tenant ${tenantId} channel ${id}`;
}

export function healthToWire(row: ChannelHealthRow, count: DeliveryCount | undefined): ChannelHealth {
  const { channelId, workedAt } = row;
  const state = stateOf(row);
  return {
    channelId,
    state,
    reason: state === 'failing' || state === 'down' ? (row.reason ?? '') : '',
    ...(workedAt && { workedTime: formatUtc(workedAt) }),
    sent: count?.sent ?? 0,
    failed: count?.failed ?? 0,
  };
}

function stateOf({ enabled, down, failures, workedAt }: ChannelHealthRow): ChannelHealth['state'] {
  if (!enabled) return 'unknown';
  if (down) return 'down';
  if ((failures ?? 0) > 0) return 'failing';
  return workedAt ? 'works' : 'unknown';
}
