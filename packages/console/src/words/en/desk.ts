/** The words of work at a desk or a phone: keys, horn, narrow screens, questions before actions. */
export const desk = {
  bandSince: (time: string) => `since ${time}`,
  announce: {
    one: (priority: string, message: string, area: string) =>
      `New alarm, ${priority}: ${message}${area === '' ? '' : `, ${area}`}.`,
    many: (count: number, counts: string, message: string) =>
      `${count} new alarms: ${counts}. Most urgent: ${message}.`,
  },
  calling: { unreachable: 'nobody was called, because they have no address that a channel serves' },
  frozen: {
    title: 'Frozen.',
    waiting: (count: number) => {
      if (count === 0) return 'Rows stay where they are; no new alarm waits.';
      return count === 1
        ? 'Rows stay where they are; 1 new alarm waits.'
        : `Rows stay where they are; ${count} new alarms wait.`;
    },
  },
  horn: {
    onlyPriority: (priority: number) => `P${priority} only, this desk`,
    silencedBy: (user: string, desk: string) => `${user} silenced ${desk}`,
    untilNew: 'until a new alarm comes',
  },
  keyHelp: {
    single: 'Keys of the list work while the list has the focus.',
    alt: 'Single keys are off: hold Alt for letters and signs. Keys of the list work while the list has the focus.',
    settings: 'Single keys can be switched off in the settings.',
    does: {
      move: 'move in the list',
      select: 'select the row',
      extend: 'select and move on',
      open: 'open the alarm',
      acknowledge: 'acknowledge',
      acknowledgeVisible: 'acknowledge all on the screen…',
      silence: 'silence the horn of this desk',
      mask: 'mask…',
      unmask: 'end the mask',
      reset: 'reset…',
      comment: 'comment',
      call: 'call somebody…',
      search: 'search',
      release: 'let new alarms in',
      freeze: 'freeze the list; go on',
      flood: 'flood view',
      back: 'back; end the selection',
      alarms: 'to the alarms, one key after the other',
      areas: 'to the areas',
      roster: 'to the roster',
      shift: 'to the shift sheet',
      history: 'to the history',
      kpis: 'to the key figures',
      tags: 'to the tags',
      help: 'all keys',
    },
  },
  moreSettings: {
    singleKeys: 'Single keys',
    singleKeysHint: 'A acknowledges, M silences',
    singleKeysOn: 'On',
    singleKeysOff: 'Only with Alt',
    sound: 'Alarms that sound for you',
    soundOff: 'None',
    volume: 'Volume',
    volumes: { 40: 'Low', 80: 'Normal', 100: 'Full' },
    desk: 'Name of this desk',
    deskHint: 'for the record of silenced horns',
  },
  narrow: { filters: 'Filters', filtersOn: 'Filters on' },
  resetting: {
    title: (message: string) => `Reset “${message}”?`,
    titleMany: (count: number) => `Reset ${count} alarms?`,
    lead: 'You say that the fault is gone. Calls for it end; the record shows your name.',
    back: 'If the source still reports the fault, the alarm comes back.',
    go: (count: number) => (count === 1 ? 'Reset 1 alarm' : `Reset ${count} alarms`),
  },
  visible: {
    open: 'Acknowledge visible…',
    title: (count: number) =>
      count === 1 ? 'Acknowledge 1 alarm on the screen?' : `Acknowledge ${count} alarms on the screen?`,
    lead: 'Only unacknowledged alarms that you see now in the list; those further down stay as they are.',
    go: (count: number) => (count === 1 ? 'Acknowledge 1 alarm' : `Acknowledge ${count} alarms`),
  },
  failures: {
    notRead: 'Part of this page could not be read from the server. Alarms and calls are not affected.',
    tryNow: 'Try now',
    noServer: 'The server does not answer',
    noServerLead:
      'This page tries again every few seconds. Check the network of this desk; calls go on without it.',
  },
  desk: {
    heldNone: 'New alarms wait here while you read.',
    otherUser: 'Somebody else has signed in in this browser. Sign in again to go on under your own name.',
  },
};

export type DeskWords = typeof desk;
