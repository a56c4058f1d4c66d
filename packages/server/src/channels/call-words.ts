/** What calls say besides their message, in one language. A code is handed in as it is to be typed or read out. */
export type CallWords = {
  readonly pressToTake: (alarms: number, code: string) => string;
  readonly pressToConfirm: (code: string) => string;
  /** For short messages: only characters of the GSM alphabet, or each part holds less than half as much. */
  readonly replyToTake: (alarms: number, code: string) => string;
  readonly replyToConfirm: (code: string) => string;
  /** Stands before a link to a page that offers both. */
  readonly openToTake: (alarms: number) => string;
  readonly openToConfirm: string;
  readonly code: string;
  readonly alarms: (count: number) => string;
  readonly first: string;
  readonly mostUrgent: string;
  readonly andMore: (count: number) => string;
};

const english: CallWords = {
  pressToTake: (alarms, code) =>
    `To take ${alarms === 1 ? 'the alarm' : `all ${alarms} alarms`}, press ${code}. ` +
    `To confirm only that you have got this call, press ${code} and then 2.`,
  pressToConfirm: (code) => `To confirm that you have got this call, press ${code}.`,
  replyToTake: (alarms, code) =>
    `Reply ${code} to take ${alarms === 1 ? 'the alarm' : `all ${alarms} alarms`}, ` +
    `${code} 2 to confirm only that you got this.`,
  replyToConfirm: (code) => `Reply ${code} to confirm that you got this.`,
  openToTake: (alarms) =>
    `To take ${alarms === 1 ? 'the alarm' : `all ${alarms} alarms`}, or to confirm only that you got this:`,
  openToConfirm: 'To confirm that you got this:',
  code: 'Code',
  alarms: (count) => `${count} alarms`,
  first: 'First',
  mostUrgent: 'Most urgent',
  andMore: (count) => `and ${count} more`,
};

const french: CallWords = {
  pressToTake: (alarms, code) =>
    `Pour prendre ${alarms === 1 ? "l'alarme" : `les ${alarms} alarmes`}, tapez ${code}. ` +
    `Pour confirmer seulement que vous avez reçu cet appel, tapez ${code} puis 2.`,
  pressToConfirm: (code) => `Pour confirmer que vous avez reçu cet appel, tapez ${code}.`,
  replyToTake: (alarms, code) =>
    `Répondez ${code} pour prendre ${alarms === 1 ? "l'alarme" : `les ${alarms} alarmes`}, ` +
    `${code} 2 pour confirmer seulement la réception.`,
  replyToConfirm: (code) => `Répondez ${code} pour confirmer la réception.`,
  openToTake: (alarms) =>
    `Pour prendre ${alarms === 1 ? "l'alarme" : `les ${alarms} alarmes`}, ou confirmer seulement la réception :`,
  openToConfirm: 'Pour confirmer la réception :',
  code: 'Code',
  alarms: (count) => `${count} alarmes`,
  first: 'Première',
  mostUrgent: 'La plus urgente',
  andMore: (count) => `et ${count} de plus`,
};

const german: CallWords = {
  pressToTake: (alarms, code) =>
    `Um ${alarms === 1 ? 'den Alarm' : `alle ${alarms} Alarme`} zu übernehmen, drücken Sie ${code}. ` +
    `Um nur den Empfang des Anrufs zu bestätigen, drücken Sie ${code} und dann 2.`,
  pressToConfirm: (code) => `Um den Empfang des Anrufs zu bestätigen, drücken Sie ${code}.`,
  replyToTake: (alarms, code) =>
    `Antworten Sie ${code}, um ${alarms === 1 ? 'den Alarm' : `alle ${alarms} Alarme`} zu übernehmen, ` +
    `${code} 2, um nur den Empfang zu bestätigen.`,
  replyToConfirm: (code) => `Antworten Sie ${code}, um den Empfang zu bestätigen.`,
  openToTake: (alarms) =>
    `Um ${alarms === 1 ? 'den Alarm' : `alle ${alarms} Alarme`} zu übernehmen oder nur den Empfang zu bestätigen:`,
  openToConfirm: 'Um den Empfang zu bestätigen:',
  code: 'Code',
  alarms: (count) => `${count} Alarme`,
  first: 'Zuerst',
  mostUrgent: 'Am dringendsten',
  andMore: (count) => `und ${count} weitere`,
};

const known: ReadonlyMap<string, CallWords> = new Map([
  ['en', english],
  ['fr', french],
  ['de', german],
]);

/** The languages that calls are made in. */
export const callLanguages: readonly string[] = [...known.keys()];

/** The language of those we have that comes nearest to a BCP 47 tag: its first part, or English. */
export function callLanguageOf(tag: string): string {
  const [language = ''] = tag.toLowerCase().split(/[-_]/, 1);
  return known.has(language) ? language : 'en';
}

export function callWordsOf(tag: string): CallWords {
  return known.get(callLanguageOf(tag)) ?? english;
}
