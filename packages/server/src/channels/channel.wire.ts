import type { Channel, ChannelKind as WireKind } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { ProblemError } from '../problem.ts';
import type { SecretBox } from '../secret-box.ts';
import type { ChannelRow, NewChannel } from './channel.store.ts';
import type { ChannelKind } from './channel.ts';
import type { ChannelRecord, Secrets } from './channel-record.ts';

/** What opens and seals a tenant's secrets; `box` is undefined on a server without a key. */
export type TenantBox = { readonly box: SecretBox | undefined; readonly tenantId: number };

export function channelToWire(row: ChannelRow, keep: TenantBox): Channel {
  const { id, name, kind, medium, priority, enabled, lastChange } = row;
  return {
    id,
    name,
    kind,
    medium: medium as Channel['medium'],
    priority,
    enabled,
    settings: storedSettings(row),
    secretsSet: Object.keys(openSecrets(row, keep) ?? {}),
    lastChange: formatUtc(lastChange),
  };
}

export function kindToWire(kind: string, { title, description, media, settings }: ChannelKind): WireKind {
  // Only what a browser can read: checks that are functions have no place in JSON.
  const schema = JSON.parse(JSON.stringify(settings)) as Record<string, unknown>;
  return { kind, title, description, media: [...media], settings: schema };
}

export function storedSettings({ settings }: Pick<ChannelRow, 'settings'>): Record<string, unknown> {
  return typeof settings === 'object' && settings !== null ? { ...settings } : {};
}

/** The secrets of a channel; undefined when it has some that no key of this server opens. */
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

/** What the secrets of a channel are sealed for. */
export function placeOfChannel(tenantId: number, id: number): string {
  return `tenant ${tenantId} channel ${id}`;
}
