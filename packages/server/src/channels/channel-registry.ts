import type { ChannelKind } from './channel.ts';
import { emailKind } from './email.channel.ts';
import { simulatedKind } from './simulated.channel.ts';
import { webhookKind } from './webhook.channel.ts';

/** Every kind of channel, by the name it is stored under. */
export const channelRegistry: ReadonlyMap<string, ChannelKind> = new Map([
  ['email', emailKind],
  ['webhook', webhookKind],
  ['simulated', simulatedKind],
]);
