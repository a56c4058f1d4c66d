import { test as base } from 'vitest';
import { startSmsCentre } from '../../../../../../acceptance/harness/sms/sms-centre.ts';
import type { Channel, ChannelContext, Incoming } from '../../port/channel.ts';
import { contextFor } from '../../testing/messages.fixture.ts';
import { type SmppSettings, smppChannel } from '../smpp.channel.ts';
import type { LinkTiming } from '../smpp-link.ts';

const quick: LinkTiming = {
  connectMs: 2_000,
  responseMs: 400,
  idleMs: 100,
  backOffMs: 200,
  maxBackOffMs: 800,
};

type Opened = { channel: Channel; incoming: Incoming[] };
type OpenOptions = {
  settings?: Partial<SmppSettings>;
  timing?: Partial<LinkTiming>;
  context?: Partial<ChannelContext>;
};

/** A test with a simulated SMS centre, and channels that lead to it. */
export const test = base
  .extend('started', () => startSmsCentre())
  .extend('centre', ({ started }, { onCleanup }) => {
    onCleanup(started.stop);
    return started;
  })
  .extend('opened', (): Channel[] => [])
  .extend('open', ({ centre, opened }, { onCleanup }) => {
    onCleanup(async () => {
      for (const channel of opened) await channel.close?.();
    });
    return ({ settings = {}, timing = {}, context = {} }: OpenOptions = {}): Opened => {
      const incoming: Incoming[] = [];
      const inbox = async (one: Incoming) => void incoming.push(one);
      const account = { host: '127.0.0.1', port: centre.port, ...centre.account, source: '+33700000001' };
      const channel = smppChannel(
        { ...account, ...settings },
        { ...contextFor('Sms'), inbox, ...context },
        { ...quick, ...timing },
      );
      opened.push(channel);
      return { channel, incoming };
    };
  });

export const anna = '+33600000001';
/** A text of one part that asks for no answer. */
export const short = { text: 'Pump 3 fails', answer: undefined };
