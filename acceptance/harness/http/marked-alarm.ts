import type { Answer, HttpClient } from './http-client.ts';

/** A request with its answer, or with the error that ended the connection. */
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

/** Posts one alarm with a unique mark, which is its value and its Idempotency-Key. */
export async function postMarked(client: HttpClient, mark: string, path: string): Promise<SentAlarm> {
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
