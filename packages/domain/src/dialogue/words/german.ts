import type { DialogueWords } from './words.ts';

export const german: DialogueWords = {
  greeting: (caller) => `Hier ist ${caller}.`,
  firstOf: (alarms) => `Es gibt ${alarms} Alarme. Der erste:`,
  alarmNumber: (number, alarms) => `Alarm ${number} von ${alarms}:`,
  further: (alarms) => (alarms === 1 ? 'Es gibt einen weiteren Alarm.' : `Es gibt ${alarms} weitere Alarme.`),
  pressToTake: 'Um den Alarm zu übernehmen, drücken Sie 1.',
  pressToTakeHeard: 'Um die gehörten Alarme zu übernehmen, drücken Sie 1.',
  pressForNext: 'Für den nächsten Alarm drücken Sie 3.',
  pressToTakeThis: 'Um nur diesen Alarm zu übernehmen, drücken Sie 4.',
  pressToRefuse: 'Wenn Sie nicht können, drücken Sie 2, dann wird sofort die nächste Person angerufen.',
  pressToConfirm: 'Um den Empfang des Anrufs zu bestätigen, drücken Sie 1.',
  pressToConfirmTest: 'Drücken Sie zur Bestätigung die 1.',
  pressToRepeat: 'Um es noch einmal zu hören, drücken Sie Stern.',
  codeToTake: (alarms, code) =>
    `Um ${alarms === 1 ? 'den Alarm' : `alle ${alarms} Alarme`} zu übernehmen, drücken Sie ${code}. ` +
    'Um nur den Empfang des Anrufs zu bestätigen, drücken Sie dieselben Ziffern und dann 2.',
  codeToConfirm: (code) => `Um den Empfang des Anrufs zu bestätigen, drücken Sie ${code}.`,
  enterPin: 'Geben Sie Ihre PIN ein, dann drücken Sie Raute.',
  wrongPin: 'Diese PIN ist falsch.',
  wrongCode: 'Diese Ziffern sind falsch.',
  tooManyWrong: 'Zu viele falsche Ziffern. Auf Wiederhören.',
  taken: (alarms) =>
    `${alarms === 1 ? 'Sie haben den Alarm übernommen.' : `Sie haben ${alarms} Alarme übernommen.`} Danke.`,
  refused: 'Die nächste Person wird jetzt angerufen. Danke.',
  confirmed: 'Ihre Bestätigung ist gespeichert. Danke.',
  takenBefore: (by) => `Den Alarm hat bereits ${by} übernommen.`,
  tooLate: 'Für diese Antwort ist es zu spät: der Anruf ist nicht mehr offen.',
  notAllowed: 'Sie dürfen diesen Alarm nicht übernehmen.',
  notRecorded:
    'Ihre Antwort konnte nicht gespeichert werden. Andere werden weiter angerufen. Auf Wiederhören.',
  takenBy: (name) =>
    name === ''
      ? 'Der Alarm wurde übernommen. Auf Wiederhören.'
      : `Den Alarm hat ${name} übernommen. Auf Wiederhören.`,
  over: 'Der Alarm ist vorbei. Auf Wiederhören.',
  goodbye: 'Auf Wiederhören.',
};
