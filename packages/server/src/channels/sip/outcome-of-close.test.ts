import { expect, test } from 'vitest';
import { type ClosedCall, outcomeOfClose } from './outcome-of-close.ts';

const call: ClosedCall = {
  reference: 'leg',
  param: '',
  hasRung: true,
  wasAnswered: false,
  endedByUs: undefined,
  heard: ['pump'],
};
const busy = { kind: 'busy', reference: 'leg' };
const noAnswer = { kind: 'noAnswer', reference: 'leg' };
const refused = { kind: 'refused', reference: 'leg', reason: 'declined' };
const wrongNumber = { kind: 'failed', permanent: true, blame: 'recipient' };
const trunkFault = { kind: 'failed', permanent: false, blame: 'channel' };

test.for([
  ['486 Busy Here', busy],
  ['600 Busy Everywhere', busy],
  ['603 Decline', refused],
  ['403 Forbidden', refused],
  ['480 Temporarily Unavailable', noAnswer],
  ['408 Request Timeout', noAnswer],
  ['404 Not Found', wrongNumber],
  ['484 Address Incomplete', wrongNumber],
  ['604 Does Not Exist Anywhere', wrongNumber],
  ['503 Service Unavailable', trunkFault],
  ['500 Server Internal Error', trunkFault],
  ['488 Not Acceptable Here', trunkFault],
  ['401 Unauthorized', trunkFault],
  ['Connection refused', trunkFault],
  ['Destination address required', trunkFault],
  ['Connection timed out', trunkFault],
  ['No such device', trunkFault],
  ['No such file or directory', trunkFault],
  ['Bad message', trunkFault],
  ['', trunkFault],
  ['what is this', trunkFault],
] as const)('a ringing call that ends with "%s" is classified', ([param, expected]) => {
  expect(outcomeOfClose({ ...call, param })).toMatchObject(expected);
});

test('a 403 before the phone rang is a fault of the trunk, not a person who declined', () => {
  expect(outcomeOfClose({ ...call, hasRung: false, param: '403 Forbidden' })).toMatchObject(trunkFault);
});

test.for([
  ['rtp stream error', 'lost'],
  ['GONE', 'lost'],
  ['Connection reset by user', ''],
  ['', ''],
  ['No such device', 'the spoken message could not be played'],
] as const)('an answered call that ends with "%s" has ended for the reason "%s"', ([param, reason]) => {
  const ended = { kind: 'ended', reference: 'leg', reason, heard: ['pump'] };
  expect(outcomeOfClose({ ...call, wasAnswered: true, param })).toEqual(ended);
});

test('a call that we end is judged by our reason, whatever the trunk says', () => {
  const param = '487 Request Terminated';
  expect(outcomeOfClose({ ...call, param, endedByUs: 'rang long enough' })).toEqual(noAnswer);
  expect(outcomeOfClose({ ...call, param, endedByUs: 'hung up' })).toEqual({
    kind: 'ended',
    reference: 'leg',
    reason: 'withdrawn',
  });
});
