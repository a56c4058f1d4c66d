import { type SecurityClaim, server } from './security-claim.ts';

/** Rows of docs/security.md about messages that go out, and answers that come in. */
export const channelClaims: readonly SecurityClaim[] = [
  {
    threat: 'An answer to a call is forged, replayed or guessed',
    defence:
      'Signed links and call-backs that expire; five wrong codes lock a call ([figures](operations.md#guessing-codes))',
    proofs: [
      [
        `${server}/guess-codes.test.ts`,
        'of 400 guesses at the code of a call 5 are looked at, and of unsigned ones none',
      ],
      [`${server}/dispatch/answer-link.test.ts`, 'a link that is forged, cut off or old takes nothing'],
      [`${server}/channels/provider-callback.test.ts`, 'an old report is refused: it may be a replay'],
    ],
  },
  {
    threat: 'A tenant makes the server connect to what is behind it, or to the servers of another tenant',
    defence:
      'Public addresses, and those that the operator names with ports for this tenant; judged at the socket, after the name was looked up',
    proofs: [
      [
        `${server}/channels/tenant-egress.test.ts`,
        'a mail server that the operator opens to one tenant is closed to another',
      ],
      [`${server}/channels/tenant-egress.test.ts`, 'a port beside the one that the operator opens is closed'],
      [
        `${server}/channels/webhook.channel.test.ts`,
        'a name that turns from a public address to one of the machine gains nothing',
      ],
    ],
  },
  {
    threat: 'A tenant scans the network of the operator by trying channels, and reads what listens there',
    defence:
      'One answer for all that is not allowed, names included; elsewhere reasons and codes of a fixed list. The words of a peer go to the log only',
    proofs: [
      [`${server}/channels/port-scan.test.ts`, 'whoever scans this machine by $by learns nothing'],
      [`${server}/channels/port-scan.test.ts`, 'no tenant reads by $by what a server says of itself'],
    ],
  },
];
