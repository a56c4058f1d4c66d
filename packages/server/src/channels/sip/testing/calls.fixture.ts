import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'vitest';
import type { Channel } from '../../port/channel.ts';
import type { Message } from '../../port/message.ts';
import type { ChannelOutcome, ReportReply } from '../../port/outcome.ts';
import { contextFor, messageTo, soon } from '../../testing/messages.fixture.ts';
import { sipKind } from '../sip.channel.ts';
import type { SipSettings } from '../sip-settings.ts';
import { createToneSpeaker } from './tone-speaker.fixture.ts';

export type PlacedCall = {
  readonly attemptId: string;
  readonly placed: ChannelOutcome;
  /** What was reported after the call was placed. */
  readonly reports: ChannelOutcome[];
  kinds(): string[];
};

export type Telephone = {
  readonly speaker: Awaited<ReturnType<typeof createToneSpeaker>>;
  readonly folder: string;
  channel(settings: Partial<SipSettings> & { port: number }): Channel;
  /** Places a call and collects its reports, which are judged by `judge`. */
  call(
    channel: Channel,
    options?: { to?: string; message?: Partial<Message>; judge?: (outcome: ChannelOutcome) => ReportReply },
  ): Promise<PlacedCall>;
  /** Folders of calls that have not ended. */
  running(): Promise<string[]>;
};

const accepted: ReportReply = { judgement: 'accepted', takenBy: '' };

/** Channels that call phones of this machine. */
export const test = base
  .extend('speaker', () => createToneSpeaker())
  .extend('telephone', async ({ speaker }, { onCleanup }): Promise<Telephone> => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-calls-'));
    const telephony = { speech: speaker, directory: folder, ports: { first: 16_000, last: 23_999 } };
    const open: Channel[] = [];
    onCleanup(async () => {
      for (const channel of open) await channel.close?.();
    });
    return {
      speaker,
      folder,
      channel: (settings) => {
        const channel = sipKind.create(
          { host: '127.0.0.1', ...settings },
          { ...contextFor('Voice'), telephony },
        );
        open.push(channel);
        return channel;
      },
      call: async (channel, { to = '+33123', message = {}, judge = () => accepted } = {}) => {
        const reports: ChannelOutcome[] = [];
        const sent = messageTo(to, message);
        const placed = await channel.place(sent, soon(), async (outcome) => {
          reports.push(outcome);
          return judge(outcome);
        });
        return { attemptId: sent.attemptId, placed, reports, kinds: () => reports.map(({ kind }) => kind) };
      },
      running: async () => {
        const [server] = await readdir(folder);
        const names = server === undefined ? [] : await readdir(join(folder, server));
        return names.filter((name) => name.startsWith('call-'));
      },
    };
  });
