import type { MediumKind } from '@tocsin/domain';
import { Check } from 'typebox/value';
import type { ChannelRow } from './channel.store.ts';
import { openSecrets, storedSettings, type TenantBox } from './channel.wire.ts';
import { channelRegistry } from './kinds/channel-registry.ts';
import type { Channel, ChannelContext } from './port/channel.ts';

export type OpenedChannel =
  | { readonly kind: 'open'; readonly channel: Channel }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Opens the channel of a row. A row may be unusable, because it outlives releases and keys. */
export function openChannel(
  row: ChannelRow,
  tenantBox: TenantBox,
  context: Omit<ChannelContext, 'medium'>,
): OpenedChannel {
  const kind = channelRegistry.get(row.kind);
  if (!kind) return { kind: 'unusable', reason: `This release knows no channel of the kind ${row.kind}` };
  const secrets = openSecrets(row, tenantBox);
  if (!secrets) return { kind: 'unusable', reason: 'No key of this server opens its secrets' };
  const settings = { ...storedSettings(row), ...secrets };
  if (!Check(kind.settings, settings)) return { kind: 'unusable', reason: 'Its settings are not complete' };
  const log = context.log.child({ tenantId: tenantBox.tenantId, channelId: row.id });
  const medium = row.medium as MediumKind;
  return { kind: 'open', channel: kind.create(settings, { ...context, log, medium }) };
}
