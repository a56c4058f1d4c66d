import type { Evidence } from './evidence.ts';

/** I1 and I2: what was answered 200 is there once, as it was sent; and nothing is there that nobody sent. */
export function checkKept({ alarms, clients }: Evidence): string[] {
  const raises = clients.filter(({ op }) => op === 'raise');
  const byPath = Map.groupBy(alarms, ({ tenantId, path }) => `${tenantId} ${path}`);
  const sent = Map.groupBy(raises, ({ tenantId, key }) => `${tenantId} ${key}`);
  const lost = raises.flatMap(({ outcome, alarmId, tenantId, key, message, priority }) => {
    const found = byPath.get(`${tenantId} ${key}`) ?? [];
    if (outcome === 'fail') return found.length > 0 ? `I2: ${key} was refused and is there` : [];
    if (outcome === 'unknown') return [];
    const [alarm] = found;
    if (alarm?.tagId !== alarmId) return `I1: ${key} was answered ${alarmId}, and there is ${alarm?.tagId}`;
    const isSame = alarm.message === message && alarm.priority === priority;
    return isSame ? [] : `I1: alarm ${alarmId} is not what was sent`;
  });
  const doubled = alarms.flatMap(({ tenantId, path, tagId, occurrences }) => {
    const asked = sent.get(`${tenantId} ${path}`);
    if (!asked) return `I2: nobody has sent ${path}`;
    const [only, ...more] = occurrences;
    return only && more.length === 0 && only.repeats === 0
      ? []
      : `I2: alarm ${tagId} was sent once and has ${occurrences.length} occurrences, ${only?.repeats} repeats`;
  });
  return [...lost, ...doubled];
}

/** I3, in part: each alarm has its duty, opened at the very instant it was raised. */
export function checkDuties({ alarms, duties }: Evidence): string[] {
  const byOccurrence = Map.groupBy(duties, ({ tenantId, occurrenceId }) => `${tenantId} ${occurrenceId}`);
  return alarms.flatMap(({ tenantId, tagId, occurrences }) =>
    occurrences.flatMap(({ id, raised }) => {
      const [duty, ...more] = byOccurrence.get(`${tenantId} ${id}`) ?? [];
      if (!duty) return `I3: alarm ${tagId} has no duty`;
      if (more.length > 0) return `I3: alarm ${tagId} has ${more.length + 1} duties`;
      return duty.opened === raised ? [] : `I3: the duty of alarm ${tagId} was opened by another transaction`;
    }),
  );
}

/** I9: no end before its beginning; and what the state says, the times say. */
export function checkHistory({ alarms }: Evidence): string[] {
  return alarms.flatMap(({ tagId, state, occurrences }) =>
    occurrences.flatMap(({ raised, acknowledged, reset }) => {
      const ends = [acknowledged, reset].filter((time) => time !== null);
      if (ends.some((time) => time < raised)) return `I9: alarm ${tagId} ended before it began`;
      const says = (reset === null ? 1 : 0) + (acknowledged === null ? 2 : 0);
      return (state & 3) === says
        ? []
        : `I9: alarm ${tagId} is in state ${state}, and its history says ${says}`;
    }),
  );
}

/** After the run nobody is called and nothing is held. */
export function checkRest({ duties, attempts }: Evidence): string[] {
  const open = duties
    .filter(({ closed }) => closed === null)
    .map(({ id }) => `rest: duty ${id} is still open`);
  const running = attempts
    .filter(({ ended }) => ended === null)
    .map(({ id, outcome }) => `rest: attempt ${id} is still ${outcome}`);
  return [...open, ...running];
}
