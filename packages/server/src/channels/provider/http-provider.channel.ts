import { type Static, Type } from 'typebox';
import { createHttpClient } from '../network/http-client.ts';
import { type Channel, type ChannelContext, channelKind } from '../port/channel.ts';
import { secretText } from '../port/setting-schemas.ts';
import { check, hangUp, place, query, type SendRequest, senderOf } from './provider-requests.ts';
import { receiveCallback } from './receive-callback.ts';

const limits = { timeoutMs: 5_000, maxResponseBytes: 65_536, connections: 20 };
const publicApi = 'https://api.twilio.com';

const Settings = Type.Object({
  accountSid: Type.String({
    pattern: '^[A-Za-z0-9]{2,64}$',
    title: 'Account SID',
    description: 'Names the account at the provider.',
  }),
  authToken: secretText({
    title: 'Auth token',
    description: 'Of the account. The provider signs its call-backs with it.',
  }),
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^?#]+$',
      maxLength: 512,
      default: publicApi,
      title: 'Address',
      guardsSecrets: true,
      description: 'Of a provider with the interface of Twilio; by default Twilio itself.',
    }),
  ),
  from: Type.String({
    pattern: '^\\+?[0-9 ()./-]{3,24}$',
    title: 'Number',
    description: 'Of the account: calls and messages come from it, and replies go to it.',
  }),
});
type Settings = Static<typeof Settings>;

/** Telephone calls and SMS by a provider in the cloud. Answers need a public URL of this server. */
export const httpProviderKind = channelKind({
  title: 'Telephone provider (HTTP)',
  description: 'Calls and text messages by Twilio, or by a provider with the same interface.',
  media: ['Voice', 'Sms'],
  settings: Settings,
  create: (settings, context) => httpProviderChannel(settings, context),
});

function httpProviderChannel(settings: Settings, { egress, log, medium }: ChannelContext): Channel {
  const client = createHttpClient(egress, limits, log);
  const send = senderOf({ baseUrl: publicApi, ...settings }, client.send);
  const isVoice = medium === 'Voice';
  const common: Channel = {
    place: (message, signal) => place(send, { message, signal, isVoice, from: settings.from }),
    query: ({ reference }, signal) => query(send, { reference, signal, isVoice }),
    receive: (request) => receiveCallback(request, settings.authToken),
    check: (signal) => check(send, signal),
    close: client.close,
  };
  return isVoice ? { ...common, ...voiceParts(send, settings.authToken) } : common;
}

const maxRemembered = 1_000;

/** A person who has pressed a key hears the reply to it, and the call ends with that: it is not hung up before. */
function voiceParts(send: SendRequest, authToken: string): Required<Pick<Channel, 'receive' | 'hangUp'>> {
  const ending = new Set<string>();
  return {
    receive: (request) => {
      const reading = receiveCallback(request, authToken);
      const { outcome } = reading.kind === 'report' ? { outcome: undefined, ...reading.incoming } : {};
      if (outcome?.kind !== 'pressed') return reading;
      if (ending.size >= maxRemembered) ending.clear();
      ending.add(outcome.reference);
      return reading;
    },
    hangUp: async ({ reference }, signal, farewell) => {
      if (!ending.delete(reference)) await hangUp(send, { reference, signal, farewell });
    },
  };
}
