import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** A second implementation of the signature, so that it checks that of the server. */
function sign(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}

const pausesMs = [0, 200, 1_000];

/** Reports to the server, three times at most. Returns the status of the last answer, 0 for none. */
export async function callBack(
  { url, secret }: { url: string; secret: string },
  report: Record<string, string>,
): Promise<number> {
  const id = randomUUID();
  const body = JSON.stringify(report);
  let status = 0;
  for (const pause of pausesMs) {
    await sleep(pause);
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${sign(secret, { id, timestamp, body })}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    await answer?.body?.cancel();
    status = answer?.status ?? 0;
    if (status !== 0 && status < 500) break;
  }
  return status;
}
