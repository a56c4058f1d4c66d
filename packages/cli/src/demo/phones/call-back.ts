import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type Callback = {
  readonly url: string;
  /** Of the channel: base64. */
  readonly secret: string;
  now(): number;
};

const pausesMs = [0, 300, 1_500];

/** Reports an event to the server, signed as Standard Webhooks says, three times at most. */
export async function callBack(
  { url, secret, now }: Callback,
  report: Readonly<Record<string, string>>,
): Promise<void> {
  const id = randomUUID();
  const body = JSON.stringify(report);
  for (const pause of pausesMs) {
    await sleep(pause);
    const timestamp = String(Math.floor(now() / 1_000));
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer && answer.status < 500) return;
  }
}
