import { chatKind } from '../chat/chat.channel.ts';
import { emailKind } from '../mail/email.channel.ts';
import type { ChannelKind } from '../port/channel.ts';
import { httpProviderKind } from '../provider/http-provider.channel.ts';
import { ntfyKind } from '../push/ntfy.channel.ts';
import { webPushKind } from '../push/web-push.channel.ts';
import { sipKind } from '../sip/sip.channel.ts';
import { modemKind } from '../sms/modem.channel.ts';
import { smppKind } from '../sms/smpp.channel.ts';
import { simulatedKind } from './simulated.channel.ts';
import { webhookKind } from './webhook.channel.ts';

/** Every kind of channel, by the name it is stored under. */
export const channelRegistry: ReadonlyMap<string, ChannelKind> = new Map([
  ['email', emailKind],
  ['http-provider', httpProviderKind],
  ['webhook', webhookKind],
  ['smpp', smppKind],
  ['modem', modemKind],
  ['web-push', webPushKind],
  ['ntfy', ntfyKind],
  ['chat', chatKind],
  ['simulated', simulatedKind],
  ['sip', sipKind],
]);
