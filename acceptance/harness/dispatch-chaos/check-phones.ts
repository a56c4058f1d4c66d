import type { LogLine } from '../phone-company/protocol.ts';
import { attemptOf, type Evidence } from './evidence.ts';
import { touches } from './inject-faults.ts';

/** A report of the end of a call may take this long. */
const reportMs = 2_000;

/**
 * I14: the server never calls a telephone during another call of its own. Calls of which it could not know do not count,
 * because their outcome was unknown for a time.
 */
export function checkOneCallPerPhone({ company, attempts, claims, windows }: Evidence): string[] {
  const unknown = new Set(
    claims
      .filter(({ kind, result }) => kind === 'attempt' && result === 'unknown')
      .map(({ tenantId, id }) => `${tenantId} ${id}`),
  );
  const known = new Map(attempts.map((attempt) => [`${attempt.tenantId} ${attempt.id}`, attempt]));
  return company
    .filter(({ event }) => event === 'collision')
    .flatMap((line) => {
      const at = Date.parse(line.at);
      const name = attemptOf({ ...line, attemptId: line.detail });
      const live = known.get(name);
      const isLost = live === undefined || unknown.has(name) || live.lateRace;
      if (isLost || touches(windows, { from: at - reportMs, ms: reportMs })) return [];
      const times = `${live.outcome}, ended ${live.ended ? new Date(live.ended).toISOString() : 'never'}`;
      return [
        `I14: ${line.to} was called by ${attemptOf(line)} during the call of ${line.detail} (${times}):`,
        ...company.filter(({ to }) => to === line.to).map(describe),
      ].join('\n  ');
    });
}

function describe({ at, event, attemptId, detail }: LogLine): string {
  return `${at} ${event} ${attemptId} ${detail}`;
}
