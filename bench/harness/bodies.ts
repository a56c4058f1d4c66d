/** A source of numbers that are the same in every run: runs differ by what is measured, not by what is sent. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const notice =
  'Check the cooling circuit and the suction filter before a restart. Do not reset from the control room while ' +
  'somebody is on site. Call the shift engineer when the temperature does not fall within ten minutes. The spare ' +
  'bearing is in store 4, shelf 12; the drawing hangs in the cabinet of the unit, beside the list of numbers.';

/** A body as a SCADA system sends it: about 1.5 kB, a fifth with somebody to call. */
export function alarmBody(tag: number, callGroupId: number): Record<string, unknown> {
  const unit = tag % 500;
  return {
    path: `Valmont/Area ${tag % 40}/Unit ${unit}/Pump ${tag}.Trip`,
    priority: 1 + (tag % 4),
    value: String(tag % 97),
    // The escalation to call is stored, and comes due when the run is over: calling has a figure of its own.
    alarmDelay: tag % 5 === 0 ? 7_200 : tag % 30,
    alarmMessage: `Pump ${tag} of unit ${unit} tripped on high bearing temperature`,
    alarmFormat: `{message} at {time} on {path}. ${notice}`,
    alarmShortMessage: String(1_000 + unit),
    alarmVocalMessageFile: '',
    resetMessage: `Pump ${tag} of unit ${unit} is back to normal`,
    resetFormat: `{message} at {time}. ${notice}`,
    resetShortMessage: String(2_000 + unit),
    ackMessage: `Pump ${tag} of unit ${unit} was taken by {user}`,
    ackFormat: `{message} at {time}. Whoever takes it reports to the control room on channel 7 before going on site, and again when leaving.`,
    ackShortMessage: String(3_000 + unit),
    eventCondition: { value: '', transitory: false, reactivatable: true, resettable: true },
    location: { latitude: 48.1 + unit / 1_000, longitude: 2.3, zone: `Hall ${tag % 7}` },
    alarmActions: tag % 5 === 0 ? [{ id: callGroupId, type: 'CallGroup', flags: 0, parameter: '' }] : [],
    resetActions: [],
    ackActions: [],
  };
}

/** An event, such as a start: each post is an occurrence of its own, over as soon as it began. */
export function eventBody(tag: number, callGroupId: number): Record<string, unknown> {
  return {
    ...alarmBody(tag, callGroupId),
    path: `Valmont/Area ${tag % 40}/Unit ${tag % 500}/Pump ${tag}.Start`,
    eventCondition: { value: '', transitory: true, reactivatable: true, resettable: true },
  };
}

/** Members that labels replace, or that Alertmanager does not use. */
const notAnnotated = new Set(['location', 'eventCondition']);

/** The same alarm as Alertmanager takes it, as long to a few bytes: labels name it, annotations say the rest. */
function alertBodies(tag: number): unknown[] {
  const { path, priority, ...rest } = alarmBody(tag, 1);
  const annotations = Object.entries(rest)
    .filter(([name]) => !notAnnotated.has(name))
    .map(([name, said]) => [name, typeof said === 'string' ? said : JSON.stringify(said)]);
  return [
    {
      labels: {
        alertname: 'PumpTrip',
        path,
        severity: String(priority),
        area: `Area ${tag % 40}`,
        unit: `Unit ${tag % 500}`,
        hall: `Hall ${tag % 7}`,
      },
      annotations: Object.fromEntries(annotations),
      generatorURL: 'http://scada.example/alarms',
    },
  ];
}

/** Bodies of a load by the number of the tag. */
export const bodyOf = { alarm: alarmBody, event: eventBody, alert: alertBodies };
export type BodyKind = keyof typeof bodyOf;
