import type { RaiseAlarm } from '@tocsin/contract';

/** The definition of a fire alarm that its fire panel has sent, every member of it. */
export const fireAlarm = {
  stationId: 1,
  tagGroupId: 1,
  priority: 1,
  temporary: false,
  eventCondition: { value: '', transitory: false, reactivatable: false, resettable: true },
  alarmDelay: 0,
  alarmMessage: 'Fire in hall 1',
  alarmFormat: '{message} ({value})',
  alarmShortMessage: '112',
  alarmVocalMessageFile: 'fire.wav',
  alarmAttachedFile: 'hall1.pdf',
  alarmActions: [{ type: 'CallGroup', id: 1 }],
  resetMessage: 'Fire is out',
  resetFormat: '{name} is over',
  resetShortMessage: '113',
  resetVocalMessageFile: 'over.wav',
  resetAttachedFile: 'over.pdf',
  resetActions: [{ type: 'CallGroup', id: 1 }],
  ackMessage: 'Taken',
  ackFormat: '{name} was taken',
  ackShortMessage: '114',
  ackVocalMessageFile: 'taken.wav',
  ackAttachedFile: 'taken.pdf',
  ackActions: [{ type: 'CallGroup', id: 1 }],
} satisfies Omit<Required<RaiseAlarm>, 'path' | 'dataServerId' | 'raised' | 'value' | 'location'>;

type Attack = [name: string, body: RaiseAlarm];

const largest = 4_294_967_295;
const mallory = { type: 'CallUser', id: 2 };

/** Ways to misuse each member, by member: one without an entry does not compile. */
const attacksBy: Record<keyof RaiseAlarm, Attack[]> = {
  // Path and data server select the tag: another place is another tag.
  path: [],
  dataServerId: [['naming its data server', { dataServerId: 1 }]],
  raised: [
    ['resetting it', { raised: false }],
    ['resetting it with a message', { raised: false, resetMessage: 'false alarm' }],
  ],
  value: [
    ['reporting another value', { value: '0' }],
    ['reporting no value', { value: '' }],
  ],
  location: [
    ['sending helpers to another hall', { location: { zone: 'Hall 9' } }],
    ['sending helpers to the sea', { location: { latitude: 0, longitude: 0 } }],
    ['wiping the place out', { location: {} }],
  ],
  stationId: [
    ['moving it to another station', { stationId: 2 }],
    ['moving it to a station that is not there', { stationId: 77 }],
  ],
  tagGroupId: [
    ['moving it to a group that acknowledges by itself', { tagGroupId: 2 }],
    ['moving it to a group that is not there', { tagGroupId: 77 }],
  ],
  priority: [
    ['downgrading it', { priority: 9 }],
    ['downgrading it as far as can be', { priority: largest }],
  ],
  temporary: [['making it vanish when it is over', { temporary: true }]],
  eventCondition: [
    ['making it an event', { eventCondition: { transitory: true } }],
    ['making it resettable by nobody', { eventCondition: { resettable: false } }],
    ['making it start anew', { eventCondition: { reactivatable: true } }],
    ['a condition that is never met', { eventCondition: { value: 'never' } }],
    ['a condition that is met by its own value', { eventCondition: { value: 'on' }, value: 'on' }],
  ],
  alarmDelay: [
    ['delaying it for ever', { alarmDelay: largest }],
    ['delaying it for an hour', { alarmDelay: 3_600 }],
  ],
  alarmMessage: [
    ['calling it a test', { alarmMessage: 'Test, ignore' }],
    ['an empty message', { alarmMessage: '' }],
  ],
  alarmFormat: [
    ['a format that says something else', { alarmFormat: 'all is well' }],
    ['no format', { alarmFormat: '' }],
  ],
  alarmShortMessage: [['another number on pagers', { alarmShortMessage: '000' }]],
  alarmVocalMessageFile: [['another recording', { alarmVocalMessageFile: 'music.wav' }]],
  alarmAttachedFile: [['another plan', { alarmAttachedFile: 'hall9.pdf' }]],
  alarmActions: [
    ['calling nobody', { alarmActions: [] }],
    ['calling somebody else', { alarmActions: [mallory] }],
    ['calling another group', { alarmActions: [{ type: 'CallGroup', id: 2 }] }],
    ['calling somebody besides', { alarmActions: [...fireAlarm.alarmActions, mallory] }],
    ['calling somebody who is not there', { alarmActions: [{ type: 'CallUser', id: 77 }] }],
    ['following a scenario', { alarmActions: [{ type: 'Scenario', id: 1 }] }],
    ['only playing a sound', { alarmActions: [{ type: 'PlaySound', parameter: 'music.wav' }] }],
    ['running a program', { alarmActions: [{ type: 'ExecuteCommand', scriptId: 1 }] }],
    ['an action of no known type', { alarmActions: [{ type: 'Nothing' }] }],
  ],
  resetMessage: [['another message when it is over', { resetMessage: 'nothing happened' }]],
  resetFormat: [['another format when it is over', { resetFormat: 'nothing happened' }]],
  resetShortMessage: [['another number when it is over', { resetShortMessage: '000' }]],
  resetVocalMessageFile: [['another recording when it is over', { resetVocalMessageFile: 'music.wav' }]],
  resetAttachedFile: [['another file when it is over', { resetAttachedFile: 'hall9.pdf' }]],
  resetActions: [
    ['telling nobody that it is over', { resetActions: [] }],
    ['telling somebody else that it is over', { resetActions: [mallory] }],
  ],
  ackMessage: [['another message when it is taken', { ackMessage: 'nobody comes' }]],
  ackFormat: [['another format when it is taken', { ackFormat: 'nobody comes' }]],
  ackShortMessage: [['another number when it is taken', { ackShortMessage: '000' }]],
  ackVocalMessageFile: [['another recording when it is taken', { ackVocalMessageFile: 'music.wav' }]],
  ackAttachedFile: [['another file when it is taken', { ackAttachedFile: 'hall9.pdf' }]],
  ackActions: [
    ['telling nobody that it is taken', { ackActions: [] }],
    ['telling somebody else that it is taken', { ackActions: [mallory] }],
  ],
};

export const attackedMembers = Object.keys(attacksBy);

export const attacks: Attack[] = [
  ...Object.values(attacksBy).flat(),
  [
    'everything at once',
    Object.assign({}, ...Object.values(attacksBy).flatMap(([first]) => first?.[1] ?? [])),
  ],
];
