import type { DeskWords } from '../en/desk.ts';

const alarms = (count: number) => (count === 1 ? '1 Alarm' : `${count} Alarme`);

export const desk: DeskWords = {
  bandSince: (time) => `seit ${time}`,
  announce: {
    one: (priority, message, area) =>
      `Neuer Alarm, ${priority}: ${message}${area === '' ? '' : `, ${area}`}.`,
    many: (count, counts, message) => `${count} neue Alarme: ${counts}. Am dringendsten: ${message}.`,
  },
  calling: { unreachable: 'niemand wurde angerufen, weil kein Kanal eine Adresse der Gewählten bedient' },
  frozen: {
    title: 'Angehalten.',
    waiting: (count) => {
      if (count === 0) return 'Die Zeilen bleiben stehen; kein neuer Alarm wartet.';
      return count === 1
        ? 'Die Zeilen bleiben stehen; 1 neuer Alarm wartet.'
        : `Die Zeilen bleiben stehen; ${count} neue Alarme warten.`;
    },
  },
  horn: {
    onlyPriority: (priority) => `nur P${priority}, dieser Platz`,
    silencedBy: (user, desk) => `${user}: Ton aus an ${desk}`,
    untilNew: 'bis ein neuer Alarm kommt',
  },
  keyHelp: {
    single: 'Die Tasten der Liste wirken, solange die Liste den Fokus hat.',
    alt: 'Einzelne Tasten sind ausgeschaltet: Buchstaben und Zeichen mit Alt drücken. Die Tasten der Liste wirken, solange sie den Fokus hat.',
    settings: 'Einzelne Tasten lassen sich in den Einstellungen ausschalten.',
    does: {
      move: 'in der Liste bewegen',
      select: 'Zeile auswählen',
      extend: 'auswählen und weiter',
      open: 'Alarm öffnen',
      acknowledge: 'quittieren',
      acknowledgeVisible: 'alle sichtbaren quittieren…',
      silence: 'Ton dieses Platzes ausschalten',
      mask: 'maskieren…',
      unmask: 'Maske beenden',
      reset: 'zurücksetzen…',
      comment: 'kommentieren',
      call: 'jemanden anrufen…',
      search: 'suchen',
      release: 'neue Alarme einblenden',
      freeze: 'Liste anhalten, weiter',
      flood: 'Schwallansicht',
      back: 'zurück; Auswahl aufheben',
      alarms: 'zu den Alarmen, nacheinander drücken',
      areas: 'zu den Bereichen',
      roster: 'zum Dienstplan',
      shift: 'zum Schichtblatt',
      history: 'zum Verlauf',
      kpis: 'zu den Kennzahlen',
      tags: 'zu den Variablen',
      help: 'alle Tasten',
    },
  },
  moreSettings: {
    singleKeys: 'Einzelne Tasten',
    singleKeysHint: 'A quittiert, M schaltet den Ton aus',
    singleKeysOn: 'Ein',
    singleKeysOff: 'Nur mit Alt',
    sound: 'Alarme, die Sie hören',
    soundOff: 'Keine',
    volume: 'Lautstärke',
    volumes: { 40: 'Leise', 80: 'Mittel', 100: 'Laut' },
    desk: 'Name dieses Platzes',
    deskHint: 'für den Nachweis ausgeschalteter Töne',
  },
  narrow: { filters: 'Filter', filtersOn: 'Filter aktiv' },
  resetting: {
    title: (message) => `„${message}“ zurücksetzen?`,
    titleMany: (count) => `${count} Alarme zurücksetzen?`,
    lead: 'Sie erklären die Störung für behoben. Ihre Anrufe enden; die Aufzeichnung zeigt Ihren Namen.',
    back: 'Meldet die Quelle die Störung weiterhin, kommt der Alarm wieder.',
    go: (count) => `${alarms(count)} zurücksetzen`,
  },
  visible: {
    open: 'Sichtbare quittieren…',
    title: (count) => `${alarms(count)} auf dem Bildschirm quittieren?`,
    lead: 'Nur unquittierte Alarme, die Sie jetzt in der Liste sehen; die weiter unten bleiben, wie sie sind.',
    go: (count) => `${alarms(count)} quittieren`,
  },
  failures: {
    notRead:
      'Ein Teil dieser Seite konnte nicht vom Server gelesen werden. Alarme und Anrufe sind nicht betroffen.',
    tryNow: 'Jetzt versuchen',
    noServer: 'Der Server antwortet nicht',
    noServerLead:
      'Diese Seite versucht es alle paar Sekunden erneut. Prüfen Sie das Netzwerk dieses Platzes; Anrufe laufen ohne ihn weiter.',
  },
  desk: {
    heldNone: 'Neue Alarme warten hier, solange Sie lesen.',
    otherUser:
      'In diesem Browser hat sich jemand anderes angemeldet. Melden Sie sich erneut an, um unter Ihrem Namen weiterzuarbeiten.',
  },
};
