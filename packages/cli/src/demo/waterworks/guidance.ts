import type { GuidanceBody } from '@tocsin/contract';

/** What to do, by area. */
export const guidance: Readonly<Record<string, GuidanceBody>> = {
  'High lift': {
    steps: [
      'Check that the standby pump has started; start it by hand if not.',
      'Compare the outlet pressure with 5.2 bar.',
      'Reset the motor protection once. If it trips again, leave it off and call electrical.',
    ],
    cause: 'Overload, dry running, a short dip of the supply',
    consequence: 'Zone 1 loses pressure in about 15 minutes',
    contacts: ['Electrical on call: Chloé Dubois'],
    respondSeconds: 600,
  },
  Chlorination: {
    steps: [
      'Start dosing pump P222; P221 may have lost its prime.',
      'Take a sample at tap 3 and compare.',
      'Below 0.10 mg/l: close the outlet valve V240.',
    ],
    cause: 'Air in the dosing line, an empty drum, a fouled analyser',
    consequence: 'Water that is not disinfected reaches zone 1 in about 25 minutes',
    contacts: ['Laboratory: Lea Martin'],
    respondSeconds: 600,
  },
  Filters: {
    steps: ['Look at the head loss of all filters.', 'Start a backwash of the worst one.'],
    cause: 'Clogged bed, a valve that does not move',
    consequence: 'The other filters take the load, and their turbidity rises',
    respondSeconds: 1_800,
  },
  Telemetry: {
    steps: ['Wait two minutes: the modem dials again.', 'Then drive there, and read the levels on site.'],
    cause: 'Radio noise, power of the outstation',
    consequence: 'Nobody sees the levels; the pumps go on with their last order',
    respondSeconds: 1_200,
  },
  Power: {
    steps: ['Look whether the generator runs.', 'Do not close a breaker that has tripped twice.'],
    cause: 'Dip of the supply, a wet cable',
    consequence: 'Pumps of this switchboard stand still',
    respondSeconds: 300,
  },
  Bellecombe: {
    steps: ['Compare both reservoirs.', 'Start a second booster at Valmont.'],
    cause: 'High demand, a burst main',
    consequence: 'The upper village has no water in about two hours',
    respondSeconds: 1_800,
  },
};
