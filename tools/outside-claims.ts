import { type SecurityClaim, server } from './security-claim.ts';

const signIn = `${server}/outside/issuers/sign-in.test.ts`;
const logIn = `${server}/outside/directory/directory-log-in.test.ts`;

/** Rows of docs/security.md about sign-ins through issuers and directories. */
export const outsideClaims: readonly SecurityClaim[] = [
  {
    threat: 'The answer of an issuer is stolen, repeated, or put into the browser of somebody else',
    defence:
      'A sign-in is bound to a browser by a cookie, to a tenant and its issuer by the state, and works once within ten minutes; PKCE and nonce tie the token to it',
    proofs: [
      [signIn, 'it ends in the browser in which it began'],
      [signIn, 'a changed state is not known'],
      [signIn, 'a code is used once: the same address a second time opens nothing'],
      [signIn, 'a code with the state and cookie of another sign-in is refused by the provider'],
    ],
  },
  {
    threat: 'An issuer signs in people of another tenant, or a token is forged',
    defence:
      'Signature, issuer, audience, nonce and times of every ID token are checked, with 60 s tolerance',
    proofs: [
      [signIn, 'the token of one issuer does not open the tenant of another'],
      [signIn, 'not with $fault'],
      [signIn, 'not with the signature of another key'],
    ],
  },
  {
    threat: 'An issuer takes over or weakens the accounts of this server',
    defence:
      'Users are linked by issuer and subject, never by name; users with a password here keep their role, and roles come from a list of the administrator',
    proofs: [
      [signIn, 'a user with a password here keeps their role, whatever the issuer says'],
      [signIn, 'nobody gets a user by a name: one that is taken is refused'],
    ],
  },
  {
    threat: 'An administrator of a tenant uses issuers or directories to reach the network of the operator',
    defence: 'The egress rules of channels apply, and secrets must be entered again for a new address',
    proofs: [
      [signIn, 'an issuer in the network of the operator is not reached without their leave'],
      [logIn, 'in the network of the operator is not reached without their leave'],
      [logIn, 'the password of the search is not sent to another server than the one it was given for'],
      [
        `${server}/outside/issuers/issuer.test.ts`,
        'a secret is not sent to another address than the one it was given for',
      ],
    ],
  },
  {
    threat: 'A name that is typed changes the search in the directory, or an empty password is accepted',
    defence: 'Names are escaped, one entry must match, and an empty password never reaches the directory',
    proofs: [
      [logIn, 'the name %s is a name, and no part of a filter'],
      [
        logIn,
        'a wrong password, an unknown name, somebody of no group, and no password at all are refused alike',
      ],
    ],
  },
  {
    threat: 'Somebody between server and directory reads passwords',
    defence: 'Connections are always encrypted, and nothing is sent before the certificate was checked',
    proofs: [[logIn, 'with the certificate of another authority gets no password']],
  },
  {
    threat: 'Guesses here lock the accounts of people in their directory',
    defence:
      'Four wrong passwords of a name reach the directory, then one in 15 minutes, counted in the database before they are tried',
    proofs: [
      [
        logIn,
        'four wrong passwords reach the directory, from any networks and servers, then it is left alone',
      ],
      [logIn, 'guesses elsewhere do not keep a user out of the network they use'],
    ],
  },
  {
    threat: 'A directory that fails locks everybody out, or somebody who left keeps a session',
    defence:
      'Users with a password here need no directory. At a refresh, at most every 15 minutes, people who are not in it any more lose their sessions',
    proofs: [
      [logIn, 'that is stopped: users with a password here log in at once, its users get 503'],
      [logIn, 'that accepts connections and says nothing holds up no log-in with a password here'],
      [logIn, 'a person who is removed has no session any more, at most 15 minutes later'],
    ],
  },
];
