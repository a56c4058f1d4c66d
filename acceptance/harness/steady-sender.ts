import type { Answer, OldClient } from './old-client.ts';

/** A request that was sent, and what came back: an answer, or the way in which the connection ended. */
export type SentAlarm = {
  mark: string;
  body: object;
  headers: Record<string, string>;
  status: number;
  answer: Answer | undefined;
  error: string;
  sentAt: number;
  ms: number;
};

/** Posts one alarm that can be told from all others by its mark, which is its value and its key. */
export async function postMarked(client: OldClient, mark: string, path: string): Promise<SentAlarm> {
  const body = { path, value: mark };
  const headers = { 'idempotency-key': mark };
  const sentAt = performance.now();
  const { answer, error } = await client.post('/api/v1/alarms', body, { headers }).then(
    (answer) => ({ answer, error: '' }),
    (error: Error & { code?: string }) => ({ answer: undefined, error: error.code ?? error.message }),
  );
  const ms = performance.now() - sentAt;
  return { mark, body, headers, status: answer?.status ?? 0, answer, error, sentAt, ms };
}
