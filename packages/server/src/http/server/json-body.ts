import { ProblemError } from '../../common/problem.ts';
import type { HttpApp } from '../http-app.ts';

/** No valid body is nested deeper than this; a deeper one is an attack. */
const maxDepth = 64;

/** Accepts `application/json` only, and answers 415 to others. An empty body counts as no body, whatever its type. */
export function acceptJson(app: HttpApp): void {
  const parseCarefully = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, sent, done) => {
    const text = sent as string;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') return done(compressed(encoding));
    if (text === '') return done(null, undefined);
    const finish = (error: Error | null, body: unknown) => {
      if (error) return done(error);
      try {
        const cleaned = needsCleaning(text) ? clean(body, 0) : body;
        const { nullMeansAbsent } = request.routeOptions.config;
        done(null, nullMeansAbsent === true && text.includes('null') ? withoutNulls(cleaned, 0) : cleaned);
      } catch (problem) {
        done(problem as Error);
      }
    };
    const body = parseIfHarmless(text);
    if (body === undefined) void parseCarefully(request, text, finish);
    else finish(null, body);
  });
  app.addContentTypeParser('*', ({ headers }, _payload, done) => {
    if ((headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined)
      return done(null, undefined);
    done(new ProblemError('unsupported-media-type', `${headers['content-type']} is not application/json`));
  });

  app.addHook('preValidation', (request, _reply, done) => {
    const { bodyOptional } = request.routeOptions.config;
    if (bodyOptional === true && (request.body === undefined || request.body === null)) request.body = {};
    done();
  });
}

function compressed(encoding: string): ProblemError {
  return new ProblemError('unsupported-media-type', `A body in ${encoding} is not taken`, {
    headers: { 'accept-encoding': 'identity' },
  });
}

/**
 * Parses the text; undefined if it is not JSON, or if it may contain a member that changes prototypes, written plainly
 * or with escapes.
 */
function parseIfHarmless(text: string): unknown {
  if (text.includes('__proto__') || text.includes('constructor') || text.includes('\\u')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** NUL and lone surrogates can only be written as escapes, and deep nesting needs many brackets. */
function needsCleaning(text: string): boolean {
  const escapes = text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text);
  return escapes || opensMoreThan(maxDepth, text);
}

/** Counts opening brackets, also inside strings: cheap, and never less than the depth of the body. */
function opensMoreThan(limit: number, text: string): boolean {
  let opened = 0;
  for (const sign of '[{') {
    for (let at = text.indexOf(sign); at >= 0 && opened <= limit; at = text.indexOf(sign, at + 1))
      opened += 1;
  }
  return opened > limit;
}

/** PostgreSQL cannot store NUL or lone surrogates: they become U+FFFD, so that the alarm is not refused. */
function clean(value: unknown, depth: number): unknown {
  if (depth > maxDepth)
    throw new ProblemError('invalid-request', `The body is nested deeper than ${maxDepth}`);
  if (typeof value === 'string') return value.replaceAll('\u0000', '\uFFFD').toWellFormed();
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member, depth + 1)]));
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (depth > maxDepth)
    throw new ProblemError('invalid-request', `The body is nested deeper than ${maxDepth}`);
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, depth + 1)]));
}
