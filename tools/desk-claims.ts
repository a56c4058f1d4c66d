import { type SecurityClaim, server } from './security-claim.ts';

const desk = `${server}/people/desks/desk.test.ts`;
const reset = `${server}/people/password-resets/password-reset.test.ts`;
const approval = `${server}/approvals/approval.test.ts`;

/** Rows of docs/security.md about shared desks, emergencies and two people. */
export const deskClaims: readonly SecurityClaim[] = [
  {
    threat: 'Somebody at a shared desk uses the rights of the account that opened it, or acts under its name',
    defence:
      'A desk may only look. People sign in with a PIN or badge and act in their own names, with the rights of an operator at most; what they change for themselves is closed there',
    proofs: [
      [desk, 'a session that becomes a desk may only look, whoever opened it'],
      [desk, 'people act at a desk in their own names'],
      [desk, 'an administrator at a desk has no more rights than an operator'],
      [desk, 'what people change for themselves is closed at a desk'],
      [desk, 'only these routes for everybody are open at a desk'],
    ],
  },
  {
    threat: 'Somebody forgets to sign out at a shared desk, or the desk is stolen',
    defence:
      'People are signed out after some minutes without acting, by the next person, and in the transaction that ends the desk',
    proofs: [
      [desk, 'is signed out after 15 minutes without acting, and not before'],
      [desk, 'leaves, and is signed out by the next person'],
      [desk, 'is signed out when an administrator ends the session of the desk'],
    ],
  },
  {
    threat: 'Somebody guesses the PINs of colleagues',
    defence:
      'A PIN works only with the token of an open desk. Wrong ones are counted in the database, for the person and the desk, and then wait up to an hour each',
    proofs: [
      [desk, 'without a desk nobody signs in with a PIN'],
      [desk, 'a PIN waits a minute after five wrong ones, and up to an hour later on'],
      [desk, 'at two servers at once checks five PINs, not more'],
    ],
  },
  {
    threat: 'Badges are copied from a backup of the database',
    defence: 'They are stored as a keyed hash; the key is sealed',
    proofs: [[desk, 'is stored as a keyed hash, and in no answer or entry']],
  },
  {
    threat: 'Somebody takes over an account through a forgotten password, or learns which users exist',
    defence:
      'A code of 79 bits is handed over by an administrator with at least the same rights, valid once and for a day; five wrong tries end it, and unknown users get the same answer',
    proofs: [
      [reset, 'five wrong tries end a code, at all servers together'],
      [reset, 'unknown and disabled users, and users without a code, get the answer of a wrong code'],
      [reset, 'nobody makes a code for somebody with more rights'],
    ],
  },
  {
    threat: 'The emergency account is used unnoticed',
    defence: 'The database raises an alarm of priority 1 in the transaction that opens the session',
    proofs: [
      [
        `${server}/people/break-glass.test.ts`,
        'each log-in raises an alarm of priority 1 that says who and from where',
      ],
    ],
  },
  {
    threat: 'One person alone masks the most urgent alarms, defines programs or cuts off machines',
    defence:
      'Where the tenant wants it, another user with the same permission has to approve: not the same person by another session or desk, and no API key. Rights are checked again then',
    proofs: [
      [approval, 'waits for a second person, and then has the author who asked'],
      [approval, 'what they have asked for themselves'],
      [approval, 'with an API key, without the same permission, or for other stations'],
      [approval, 'of two people who decide at once at two servers, one decides'],
      [approval, 'a requester who lost the right or the account'],
      [approval, 'that an alarm brings along are not granted, and the alarm is raised'],
    ],
  },
];
