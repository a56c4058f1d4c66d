import type { Evidence } from './evidence.ts';

/** I1 and I2: each request answered 200 is stored once, as it was sent; nothing else is stored. */
export function checkStored({ alarms, clients }: Evidence): string[] {
  const raises = clients.filter(({ op }) => op === 'raise');
  const byPath = Map.groupBy(alarms, ({ tenantId, path }) => `${tenantId} ${path}`);
  const repeats = Map.groupBy(
    clients.filter(({ op, outcome }) => op === 'repeat' && outcome === 'ok'),
    ({ tenantId, key }) => `${tenantId} ${key}`,
  );
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
    const repeated = repeats.has(`${tenantId} ${path}`) ? 1 : 0;
    return only && more.length === 0 && only.repeats === repeated
      ? []
      : `I2: alarm ${tagId} was sent once and repeated ${repeated} times, and has ${occurrences.length} occurrences, ` +
          `${only?.repeats} repeats`;
  });
  return [...lost, ...doubled];
}

/** I3, in part: each alarm has one escalation, opened in the transaction that raised it. */
export function checkEscalations({ alarms, escalations }: Evidence): string[] {
  const byOccurrence = Map.groupBy(
    escalations,
    ({ tenantId, occurrenceId }) => `${tenantId} ${occurrenceId}`,
  );
  return alarms.flatMap(({ tenantId, tagId, occurrences }) =>
    occurrences.flatMap(({ id, raised }) => {
      const [escalation, ...more] = byOccurrence.get(`${tenantId} ${id}`) ?? [];
      if (!escalation) return `I3: alarm ${tagId} has no escalation`;
      if (more.length > 0) return `I3: alarm ${tagId} has ${more.length + 1} escalations`;
      return escalation.opened === raised
        ? []
        : `I3: the escalation of alarm ${tagId} was opened by another transaction`;
    }),
  );
}

/** I9: the state agrees with the stored times, and an acknowledged alarm has a user and a time. */
export function checkStates({ alarms }: Evidence): string[] {
  return alarms.flatMap(({ tagId, state, ackUser, occurrences }) =>
    occurrences.flatMap(({ acknowledged, reset }) => {
      const says = (reset === null ? 1 : 0) + (acknowledged === null ? 2 : 0);
      if ((state & 3) !== says)
        return `I9: alarm ${tagId} is in state ${state}, and its history says ${says}`;
      if ((ackUser === '') === (acknowledged === null)) return [];
      return `I9: alarm ${tagId} was taken by "${ackUser}", and acknowledged at ${acknowledged}`;
    }),
  );
}

/** Wrong codes that telephones press or write back. */
const wrongCode = '000000';

/** I9: who takes an alarm by telephone has given a code, and not a wrong one. */
export function checkCodes({ alarms, company, policy }: Evidence): string[] {
  const given = new Set(
    company
      .filter(({ event, detail }) => /pressed|replied/.test(event) && !detail.includes(wrongCode))
      .map(({ to }) => `User ${to}`),
  );
  const called = new Set([...policy.numbers.values()].map((number) => `User ${number}`));
  return alarms
    .filter(({ ackUser }) => called.has(ackUser) && !given.has(ackUser))
    .map(({ tagId, ackUser }) => `I9: alarm ${tagId} was taken by "${ackUser}", who gave no code`);
}

/** I11: each change of state is in the journal, once, and by whom. */
export function checkJournal({ alarms, journal }: Evidence): string[] {
  const entries = new Map(journal.map((one) => [`${one.tenantId} ${one.occurrenceId} ${one.kind}`, one]));
  return alarms.flatMap(({ tenantId, tagId, ackUser, occurrences }) =>
    occurrences.flatMap(({ id, acknowledged, reset }) => {
      const changes = { raised: true, acknowledged: acknowledged !== null, reset: reset !== null };
      const counts = Object.entries(changes).flatMap(([kind, happened]) => {
        const found = entries.get(`${tenantId} ${id} ${kind}`)?.entries ?? 0;
        return found === Number(happened)
          ? []
          : `I11: the journal says ${found} times that ${tagId} was ${kind}`;
      });
      const actor = entries.get(`${tenantId} ${id} acknowledged`)?.actor ?? '';
      return actor === ackUser
        ? counts
        : [...counts, `I11: alarm ${tagId} was taken by "${ackUser}", and the journal says "${actor}"`];
    }),
  );
}

/** After the run nobody is called and nothing is held. */
export function checkAllEnded({ escalations, attempts }: Evidence): string[] {
  const open = escalations
    .filter(({ closed }) => closed === null)
    .map(({ id }) => `rest: escalation ${id} is still open`);
  const running = attempts
    .filter(({ ended }) => ended === null)
    .map(({ id, outcome }) => `rest: attempt ${id} is still ${outcome}`);
  return [...open, ...running];
}
