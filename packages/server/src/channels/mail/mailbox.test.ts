import { EventEmitter } from 'node:events';
import type { ImapFlow } from 'imapflow';
import { expect, test } from 'vitest';
import { readMailbox } from './mailbox.ts';

test('a connection that breaks when the mailbox begins to wait ends the reading with its failure', async () => {
  const broken = new Error('Connection not available');
  let searches = 0;
  const client = Object.assign(new EventEmitter(), {
    usable: true,
    search: async () => {
      searches += 1;
      if (searches > 1) throw broken;
      return [];
    },
    // As ImapFlow does if its socket is destroyed and it has not noticed yet.
    idle: () => Promise.reject(broken),
  });
  const reading = readMailbox(client as unknown as ImapFlow, async () => {}, AbortSignal.timeout(2_000));
  await expect(reading).rejects.toBe(broken);
});
