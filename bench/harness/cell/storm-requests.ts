import { alarmBody, eventBody, seeded } from '../bodies.ts';
import type { Storm } from './storm.ts';
import { zipfian } from './zipf.ts';

export type StormRequest = { number: number; tenant: number; bytes: string; isCall: boolean };

const knownShare = 0.7;
/** As many digits as every number has, so that the length of a body is known before its number. */
const digits = 9;
const placeholder = '#'.repeat(digits);

/**
 * The requests of a storm, one after the other. The number of a request is the value of its alarm, so that the journal
 * tells which requests were stored.
 */
export function stormRequests({
  tokens,
  knownTags,
  callShare,
  callGroups,
  firstNumber,
}: Storm): () => StormRequest {
  const random = seeded(firstNumber);
  const nextTenant = zipfian(tokens.length, random);
  const templates = Array.from({ length: knownTags }, (_, tag) => templateOf(eventBody(tag, 1)));
  let number = firstNumber;
  return () => {
    number += 1;
    const isCall = random() < callShare;
    // Calls are spread evenly: a person who is called often gets several alarms in one message.
    const tenant = isCall ? Math.floor(random() * tokens.length) : nextTenant();
    const template = isCall
      ? templateOf(callBody(number, 1 + Math.floor(random() * callGroups)))
      : random() < knownShare
        ? templates[Math.floor(random() * knownTags)]
        : templateOf(eventBody(number, 1));
    return { number, tenant, bytes: requestOf(template ?? '', tokens[tenant] ?? '', number), isCall };
  };
}

/** An alarm whose people are called at once. */
function callBody(number: number, callGroupId: number): Record<string, unknown> {
  return {
    ...alarmBody(number, callGroupId),
    path: `${callFolder}/${number}`,
    priority: 1,
    alarmDelay: 0,
    alarmActions: [{ id: callGroupId, type: 'CallGroup' }],
  };
}

/** Paths of the alarms that call begin with it. */
export const callFolder = 'Cell/Call';

const templateOf = (body: Record<string, unknown>) => JSON.stringify({ ...body, value: placeholder });

function requestOf(template: string, token: string, number: number): string {
  return (
    `POST /api/v1/alarms HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${template.length}\r\n\r\n` +
    template.replace(placeholder, String(number).padStart(digits, '0'))
  );
}
