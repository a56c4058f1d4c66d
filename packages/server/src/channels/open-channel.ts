import { Check } from 'typebox/value';
import type { ChannelRow } from './channel.store.ts';
import type { Channel, ChannelContext, MediumKind } from './channel.ts';
import { openSecrets, storedSettings, type TenantBox } from './channel.wire.ts';
import { channelRegistry } from './channel-registry.ts';

export type OpenedChannel =
  | { readonly kind: 'open'; readonly channel: Channel }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The channel that a row describes. Rows outlive releases and keys, so it may be that there is none. */
export function openChannel(
  row: ChannelRow,
  keep: TenantBox,
  context: Omit<ChannelContext, 'medium'>,
): OpenedChannel {
  const kind = channelRegistry.get(row.kind);
  if (!kind) return { kind: 'unusable', reason: `This release knows no channel of the kind ${row.kind}` };
  const secrets = openSecrets(row, keep);
  if (!secrets) return { kind: 'unusable', reason: 'No key of this server opens its secrets' };
  const settings = { ...storedSettings(row), ...secrets };
  if (!Check(kind.settings, settings)) return { kind: 'unusable', reason: 'Its settings are not complete' };
  const log = context.log.child({ tenantId: keep.tenantId, channelId: row.id });
  const medium = row.medium as MediumKind;
  return { kind: 'open', channel: kind.create(settings, { ...context, log, medium }) };
}
