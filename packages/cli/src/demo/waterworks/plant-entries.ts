import { type Person, people } from './people.ts';
import { areas, type PlantTag, scenarios, tags } from './tags.ts';

const allWeek = [1, 2, 3, 4, 5, 6, 7];
const slot = (team: string, day: number, start: string, end: string) => ({ team, day, start, end });

/** Seconds for an answer: short, so that an escalation can be watched. */
const ackTimeout = 20;
const calling = { ackTimeout, attempts: 1, cycles: 1 };

const stationOf = (area: string) =>
  ({ Bellecombe: 'Bellecombe reservoir', Aubry: 'Aubry pumping station' })[area] ?? 'Valmont works';

/** The station and the data server that a new installation has; they get these names. */
export const firstNames = { station: 'Valmont works', dataServer: 'PLC-VAL' };

/** The channel; the telephones are on the page of the demo at this address. */
export const channelEntries = (phonesUrl: string) => [
  {
    name: 'Demo telephones',
    kind: 'simulated',
    medium: 'Voice',
    settings: { url: phonesUrl, callbackSecret: { secretFile: 'phones.secret' } },
  },
];

/** The whole plant, in the form of a plant file. */
export const plantEntries = (phonesUrl: string) => ({
  stations: ['Valmont works', 'Bellecombe reservoir', 'Aubry pumping station'].map((name) => ({
    name,
    timeZone: 'Europe/Paris',
  })),
  dataServers: [
    { name: 'PLC-VAL', station: 'Valmont works' },
    { name: 'RTU-BEL', station: 'Bellecombe reservoir' },
    { name: 'RTU-AUB', station: 'Aubry pumping station' },
  ],
  channels: channelEntries(phonesUrl),
  people: people.map(personEntry),
  groupings: [{ name: 'Operation' }, { name: 'Management' }],
  callGroups: callGroups(),
  scenarios: [
    { name: scenarios.process, alarmActions: [{ type: 'CallGroup', callGroup: 'Process on call' }] },
    { name: scenarios.electrical, alarmActions: [{ type: 'CallGroup', callGroup: 'Electrical on call' }] },
    { name: scenarios.quality, alarmActions: [{ type: 'CallGroup', callGroup: 'Water quality' }] },
  ],
  tagGroups: areas.map((name) => ({ name, station: stationOf(name) })),
  tags: tags.map(tagEntry),
});

function personEntry({ username, name, role, number }: Person) {
  const person = { username, name, role, stations: ['all'], language: 'en' };
  if (number === undefined) return { ...person, passwordFile: `${username}.password` };
  return { ...person, media: [{ kind: 'Voice', address: number }] };
}

function tagEntry({ dataServer, path, area, priority, message, scenario }: PlantTag) {
  const tag = { path, dataServer, station: stationOf(area), tagGroup: area, priority, message };
  return scenario === undefined ? tag : { ...tag, scenario };
}

type GroupEntry = {
  readonly name: string;
  readonly station?: string;
  readonly mode?: string;
  readonly people?: readonly string[];
  readonly teams?: readonly { readonly name: string; readonly people: readonly string[] }[];
  readonly roster?: { readonly slotMinutes: number; readonly slots: readonly ReturnType<typeof slot>[] };
  readonly relief?: string;
  readonly grouping: string;
} & typeof calling;

function callGroups(): GroupEntry[] {
  return [
    { name: 'Duty manager', people: ['ines'], ...calling, attempts: 2, grouping: 'Management' },
    {
      name: 'Electrical on call',
      people: ['chloe'],
      ...calling,
      relief: 'Duty manager',
      grouping: 'Operation',
    },
    {
      name: 'Water quality',
      mode: 'Turnover',
      people: ['chloe', 'ines'],
      ...calling,
      relief: 'Duty manager',
      grouping: 'Operation',
    },
    {
      name: 'Process on call',
      station: 'Valmont works',
      teams: [
        { name: 'Day', people: ['anna', 'ben'] },
        { name: 'Night', people: ['ben', 'anna'] },
      ],
      roster: {
        slotMinutes: 60,
        slots: allWeek.flatMap((day) => [
          slot('Night', day, '00:00', '06:00'),
          slot('Day', day, '06:00', '20:00'),
          slot('Night', day, '20:00', '24:00'),
        ]),
      },
      ...calling,
      relief: 'Electrical on call',
      grouping: 'Operation',
    },
  ];
}
