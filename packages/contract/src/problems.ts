import { type Static, Type } from 'typebox';

/** The problems that a request can be answered with. The key is the public, stable code. */
export const problems = {
  'invalid-request': { status: 400, title: 'The request does not match the interface' },
  'unknown-reference': { status: 400, title: 'The request names something that does not exist' },
  'too-many-messages': { status: 400, title: 'The filter matches too many different messages' },
  'not-authenticated': { status: 401, title: 'A valid access token is needed' },
  'not-allowed': { status: 403, title: 'The token does not permit this' },
  'second-factor-required': { status: 403, title: 'The role needs a second factor, which is not set up' },
  'confirmation-required': { status: 403, title: 'This action needs a fresh confirmation of the session' },
  'not-found': { status: 404, title: 'No such resource' },
  'method-not-allowed': { status: 405, title: 'The resource does not have this method' },
  conflict: { status: 409, title: 'The request conflicts with what is stored' },
  'idempotency-key-reused': { status: 409, title: 'The Idempotency-Key was used for another request' },
  'stale-version': { status: 412, title: 'The resource was changed by someone else' },
  'body-too-large': { status: 413, title: 'The body is larger than the server takes' },
  'unsupported-media-type': { status: 415, title: 'The Content-Type is not supported' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request line or headers are too large' },
  internal: { status: 500, title: 'The server failed' },
  'outcome-unknown': { status: 503, title: 'The outcome is not certain; send the same request again' },
  unavailable: { status: 503, title: 'The server cannot answer now' },
} as const;

export type ProblemCode = keyof typeof problems;

/** RFC 9457, with our stable `code` and the offending members in `errors`. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    instance: Type.Optional(Type.String()),
    code: Type.String(),
    errors: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }), {
      description: 'The faults: each with a JSON pointer into the body, or the name of a parameter.',
    }),
  },
  { title: 'Problem' },
);
export type Problem = Static<typeof Problem>;
