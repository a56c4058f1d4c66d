import { type SecurityClaim, server } from './security-claim.ts';

/** Rows of docs/security.md about outgoing messages and incoming answers. */
export const channelClaims: readonly SecurityClaim[] = [
  {
    threat: 'An answer to a call is forged, replayed or guessed',
    defence:
      'Signed links and call-backs that expire; five wrong codes lock a call ([figures](operations.md#guessing-codes))',
    proofs: [
      [
        `${server}/guess-codes.test.ts`,
        'of 400 guesses of an answer code 5 are checked, and of unsigned ones none',
      ],
      [
        `${server}/dispatch/answers/answer-link.test.ts`,
        'a link that is forged, truncated or old is refused',
      ],
      [`${server}/channels/kinds/provider-callback.test.ts`, 'an old report is refused: it may be a replay'],
    ],
  },
  {
    threat: 'A reply by mail is forged, sent by a program, or made to occupy the server',
    defence:
      'The address of a reply is signed for the attempt and its recipient; automatic mail is ignored; limits for size and text ([0042](decisions/0042-mail-replies.md))',
    proofs: [
      [`${server}/channels/mail/reply-address.test.ts`, 'a forged address names no attempt'],
      [
        `${server}/channels/mail/reply-address.test.ts`,
        'a colleague to whom the mail was forwarded cannot answer for the person called',
      ],
      [`${server}/channels/mail/read-reply.test.ts`, 'a reply with %s is read in good time'],
    ],
  },
  {
    threat: 'A tenant makes the server connect to internal machines, or to the servers of another tenant',
    defence:
      'Only public addresses, and those that the operator lists with ports for this tenant; checked at the socket, after name resolution',
    proofs: [
      [
        `${server}/channels/network/tenant-egress.test.ts`,
        'a mail server that the operator opens to one tenant is closed to another',
      ],
      [
        `${server}/channels/network/tenant-egress.test.ts`,
        'a port beside the one that the operator opens is closed',
      ],
      [
        `${server}/channels/kinds/webhook.channel.test.ts`,
        'a name that changes from a public address to one of the machine is refused',
      ],
      [
        `${server}/channels/mail/replies.test.ts`,
        'a mailbox inside the machine is not reached unless the installation allows it',
      ],
      [
        `${server}/channels/push/web-push.channel.test.ts`,
        'a push service without a trusted certificate, or inside the machine, gets nothing',
      ],
    ],
  },
  {
    threat: 'A tenant scans the network of the operator by testing channels, and reads the banners',
    defence:
      'One reason for all destinations that are not allowed, unknown host names included; otherwise reasons and codes from a fixed list. The response of a peer is written to the log only',
    proofs: [
      [`${server}/channels/network/port-scan.test.ts`, 'a scan of this machine by $by reveals nothing'],
      [`${server}/channels/network/port-scan.test.ts`, 'the text of a server is not revealed by $by'],
    ],
  },
];
