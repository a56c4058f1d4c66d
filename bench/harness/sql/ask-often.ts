import type { HttpClient } from '../../../acceptance/harness/http/http-client.ts';

/** The first requests warm up plan and page caches. */
const warmUps = 5;

/** The p95 of a list in milliseconds, and its total. A refusal is an answer, too, if its code is the expected one. */
export async function askOften(
  client: HttpClient,
  path: string,
  count: number,
  expectedCode?: string,
): Promise<{ p95: number; total: number; code: string | undefined }> {
  const times: number[] = [];
  let total = -1;
  let code: string | undefined;
  for (let number = 0; number < count + warmUps; number++) {
    const start = performance.now();
    const answer = await client.get(`/api/v1/alarms/${path}`);
    const milliseconds = performance.now() - start;
    const body = answer.json<{ paging?: { total: number }; alarms?: number; code?: string }>();
    if (answer.status !== 200 && (expectedCode === undefined || body.code !== expectedCode))
      throw new Error(`${path}: ${answer.status} ${answer.text}`);
    ({ code } = body);
    total = body.paging?.total ?? body.alarms ?? -1;
    if (number >= warmUps) times.push(milliseconds);
  }
  const p95 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0;
  return { p95, total, code };
}
