import { ProblemError } from '../problem.ts';
import type { HttpApp } from './http-app.ts';

/** Deeper than this no body of the interface goes; a nest of brackets is somebody's attack. */
const deepest = 64;

/** Bodies are JSON, and `application/json` only: everything else is 415. An empty one is none, whatever it is called. */
export function acceptJson(app: HttpApp): void {
  const parseCarefully = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, sent, done) => {
    const text = sent as string;
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') return done(compressed(coding));
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
    const body = parseHarmless(text);
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

function compressed(coding: string): ProblemError {
  return new ProblemError('unsupported-media-type', `A body in ${coding} is not taken`, {
    headers: { 'accept-encoding': 'identity' },
  });
}

/**
 * What the text says, or undefined when it is no JSON, or might reach into the prototypes of objects: such a name
 * stands there as it is, or with an escape.
 */
function parseHarmless(text: string): unknown {
  if (text.includes('__proto__') || text.includes('constructor') || text.includes('\\u')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** NUL and lone surrogates can only be written as escapes; a deep nest only with many brackets. */
function needsCleaning(text: string): boolean {
  const escapes = text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text);
  return escapes || opensMoreThan(deepest, text);
}

/** Counts brackets that open, also those inside strings: cheap, and never fewer than the body is deep. */
function opensMoreThan(most: number, text: string): boolean {
  let opened = 0;
  for (const sign of '[{') {
    for (let at = text.indexOf(sign); at >= 0 && opened <= most; at = text.indexOf(sign, at + 1)) opened += 1;
  }
  return opened > most;
}

/** PostgreSQL cannot hold NUL or lone surrogates: they become U+FFFD, and the alarm is not lost over them. */
function clean(value: unknown, depth: number): unknown {
  if (depth > deepest) throw new ProblemError('invalid-request', `The body is nested deeper than ${deepest}`);
  if (typeof value === 'string') return value.replaceAll('\u0000', '\uFFFD').toWellFormed();
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member, depth + 1)]));
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (depth > deepest) throw new ProblemError('invalid-request', `The body is nested deeper than ${deepest}`);
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, depth + 1)]));
}
