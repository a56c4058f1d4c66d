/** A signal of the plant. */
export type PlantTag = {
  readonly dataServer: string;
  readonly path: string;
  readonly area: string;
  readonly priority: 1 | 2 | 3 | 4;
  readonly message: string;
  /** What the machine reports while it is well, and while it is not. */
  readonly normal: string;
  readonly faulty: string;
  /** Absent if the alarm is only shown. */
  readonly scenario?: string;
};

/** The end of a path, message, priority, normal value, faulty value. */
type Signal = readonly [string, string, PlantTag['priority'], string, string];

/** Machines of the same kind, which have the same signals. */
type Machines = {
  readonly dataServer: string;
  readonly area: string;
  /** Called for priorities 1 and 2. */
  readonly scenario: string;
  /** Path and name, such as `Lift.P301` and `P301`. */
  readonly machines: readonly (readonly [string, string])[];
  readonly signals: readonly Signal[];
};

export const scenarios = {
  process: 'Call process',
  electrical: 'Call electrical',
  quality: 'Call water quality',
} as const;

const numbered = (count: number, path: (n: string) => string, name: (n: string) => string) =>
  Array.from({ length: count }, (_, index) => {
    const n = String(index + 1);
    return [path(n), name(n)] as const;
  });

const pumpSignals: readonly Signal[] = [
  ['TRIP', 'tripped', 1, 'running', 'tripped'],
  ['START', 'start failed', 3, 'ok', 'failed'],
  ['VIB', 'vibration high', 3, '2.1 mm/s', '7.4 mm/s'],
  ['TEMP', 'bearing temperature high', 2, '48 °C', '86 °C'],
  ['SEAL', 'seal water low', 4, '1.2 l/min', '0.3 l/min'],
];

const valmont = { dataServer: 'PLC-VAL', scenario: scenarios.process };

const families: readonly Machines[] = [
  {
    ...valmont,
    area: 'High lift',
    machines: numbered(
      6,
      (n) => `Lift.P30${n}`,
      (n) => `P30${n}`,
    ),
    signals: pumpSignals,
  },
  {
    ...valmont,
    area: 'High lift',
    machines: [['Lift.PT310', 'Outlet pressure']],
    signals: [
      ['L', 'low', 2, '5.2 bar', '3.1 bar'],
      ['H', 'high', 3, '5.2 bar', '7.8 bar'],
    ],
  },
  {
    ...valmont,
    area: 'Intake',
    machines: numbered(
      4,
      (n) => `Int.P10${n}`,
      (n) => `Raw water pump P10${n}`,
    ),
    signals: pumpSignals,
  },
  {
    ...valmont,
    area: 'Intake',
    machines: [['Int.FT118', 'Flow meter FT118']],
    signals: [['QUAL', 'signal noisy', 4, 'good', 'bad']],
  },
  {
    ...valmont,
    area: 'Filters',
    machines: numbered(
      8,
      (n) => `Filt.F${n}`,
      (n) => `Filter ${n}`,
    ),
    signals: [
      ['DP', 'head loss high', 3, '0.6 m', '1.8 m'],
      ['TURB', 'turbidity high', 2, '0.08 NTU', '0.41 NTU'],
      ['VALVE', 'inlet valve does not move', 3, 'open', 'between'],
      ['LEVEL', 'level high', 3, '3.2 m', '3.9 m'],
      ['WASH', 'backwash not finished', 4, 'done', 'stopped'],
    ],
  },
  {
    ...valmont,
    area: 'Chlorination',
    scenario: scenarios.quality,
    machines: numbered(
      3,
      (n) => `Chlor.CL20${n}`,
      (n) => `Chlorine residual ${n}`,
    ),
    signals: [
      ['LL', 'low-low', 1, '0.31 mg/l', '0.09 mg/l'],
      ['L', 'low', 2, '0.31 mg/l', '0.18 mg/l'],
      ['H', 'high', 3, '0.31 mg/l', '0.62 mg/l'],
      ['CAL', 'analyser calibration due', 4, 'ok', 'due'],
    ],
  },
  {
    ...valmont,
    area: 'Chlorination',
    scenario: scenarios.quality,
    machines: numbered(
      2,
      (n) => `Chlor.P22${n}`,
      (n) => `Dosing pump P22${n}`,
    ),
    signals: pumpSignals,
  },
  {
    ...valmont,
    area: 'Laboratory',
    scenario: scenarios.quality,
    machines: numbered(
      6,
      (n) => `Lab.SP1${n}`,
      (n) => `Sampling pump SP1${n}`,
    ),
    signals: [
      ['FLOW', 'no flow', 3, '40 l/h', '0 l/h'],
      ['DOOR', 'cabinet open', 4, 'closed', 'open'],
    ],
  },
  {
    ...valmont,
    area: 'Power',
    scenario: scenarios.electrical,
    machines: numbered(
      4,
      (n) => `Pow.MCC${n}`,
      (n) => `Switchboard ${n}`,
    ),
    signals: [
      ['UV', 'undervoltage', 1, '400 V', '312 V'],
      ['EARTH', 'earth fault', 2, 'ok', 'fault'],
      ['DOOR', 'door open', 4, 'closed', 'open'],
      ['TEMP', 'temperature high', 3, '31 °C', '58 °C'],
    ],
  },
  {
    ...valmont,
    area: 'Power',
    scenario: scenarios.electrical,
    machines: numbered(
      2,
      (n) => `Pow.G${n}`,
      (n) => `Generator ${n}`,
    ),
    signals: [
      ['FAIL', 'start failed', 1, 'standby', 'failed'],
      ['UBAT', 'battery voltage low', 3, '26.8 V', '22.1 V'],
      ['FUEL', 'fuel low', 3, '82 %', '18 %'],
    ],
  },
  {
    ...valmont,
    area: 'Telemetry',
    scenario: scenarios.electrical,
    machines: [
      ['Tel.BEL', 'Link to Bellecombe'],
      ['Tel.AUB', 'Link to Aubry'],
    ],
    signals: [['COMM', 'lost', 2, 'connected', 'no reply']],
  },
  ...(['Bellecombe', 'Aubry'] as const).map((name) => outstation(name)),
  ...(['Bellecombe', 'Aubry'] as const).map((name) => reservoirs(name)),
];

/** `Bellecombe` → `Bel`. */
function codeOf(name: string): string {
  return name.slice(0, 3);
}

function outstation(name: string): Machines {
  const code = codeOf(name);
  return {
    dataServer: `RTU-${code.toUpperCase()}`,
    area: name,
    scenario: scenarios.process,
    machines: numbered(
      4,
      (n) => `${code}.P50${n}`,
      (n) => `${name} booster P50${n}`,
    ),
    signals: pumpSignals,
  };
}

function reservoirs(name: string): Machines {
  const code = codeOf(name);
  return {
    dataServer: `RTU-${code.toUpperCase()}`,
    area: name,
    scenario: scenarios.process,
    machines: numbered(
      2,
      (n) => `${code}.LT21${n}`,
      (n) => `${name} reservoir ${n} level`,
    ),
    signals: [
      ['LL', 'low-low', 1, '3.4 m', '0.8 m'],
      ['L', 'low', 2, '3.4 m', '1.6 m'],
      ['H', 'high', 3, '3.4 m', '4.6 m'],
      ['ROC', 'falling fast', 2, '2 cm/h', '−18 cm/h'],
    ],
  };
}

const tagsOf = ({ dataServer, area, scenario, machines, signals }: Machines): PlantTag[] =>
  machines.flatMap(([path, name]) =>
    signals.map(([end, message, priority, normal, faulty]) => ({
      dataServer,
      area,
      path: `${path}.${end}`,
      message: `${name} ${message}`,
      priority,
      normal,
      faulty,
      ...(priority <= 2 && { scenario }),
    })),
  );

/** All signals of the plant. */
export const tags: readonly PlantTag[] = families.flatMap(tagsOf);

/** The areas, in the order of the console. */
export const areas = [...new Set(tags.map(({ area }) => area))];
