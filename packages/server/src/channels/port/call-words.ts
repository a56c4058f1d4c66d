import { type TemplateLanguage, templateLanguages } from '@tocsin/contract';

/** The texts of calls besides their message, in one language. Codes are passed in the form in which they are shown or spoken. */
export type CallWords = {
  readonly pressToTake: (alarms: number, code: string) => string;
  readonly pressToConfirm: (code: string) => string;
  /** For SMS: uses only the GSM alphabet, because other characters more than halve the length of a part. */
  readonly replyToTake: (alarms: number, code: string) => string;
  readonly replyToConfirm: (code: string) => string;
  /** Precedes a link to a page that offers both answers. */
  readonly openToTake: (alarms: number) => string;
  readonly openToConfirm: string;
  readonly code: string;
  readonly alarms: (count: number) => string;
  readonly first: string;
  readonly mostUrgent: string;
  readonly andMore: (count: number) => string;
  /** Tell those who were called; for SMS too, so they use only the GSM alphabet. An empty name stands for a machine. */
  readonly taken: (by: string) => string;
  readonly over: (time: string) => string;
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
  taken: (by) => (by === '' ? 'Taken' : `Taken by ${by}`),
  over: (time) => `Over at ${time}`,
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
  taken: (by) => (by === '' ? 'Prise en charge' : `Prise en charge par ${by}`),
  over: (time) => `Terminée à ${time}`,
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
  taken: (by) => (by === '' ? 'Übernommen' : `Übernommen von ${by}`),
  over: (time) => `Vorbei um ${time}`,
};

const spanish: CallWords = {
  pressToTake: (alarms, code) =>
    `Para hacerse cargo de ${alarms === 1 ? 'la alarma' : `las ${alarms} alarmas`}, pulse ${code}. ` +
    `Para confirmar solo que ha recibido esta llamada, pulse ${code} y luego 2.`,
  pressToConfirm: (code) => `Para confirmar que ha recibido esta llamada, pulse ${code}.`,
  replyToTake: (alarms, code) =>
    `Responda ${code} para hacerse cargo de ${alarms === 1 ? 'la alarma' : `las ${alarms} alarmas`}, ` +
    `${code} 2 para confirmar solo que ha recibido esto.`,
  replyToConfirm: (code) => `Responda ${code} para confirmar que ha recibido esto.`,
  openToTake: (alarms) =>
    `Para hacerse cargo de ${alarms === 1 ? 'la alarma' : `las ${alarms} alarmas`}, o confirmar solo que ha recibido esto:`,
  openToConfirm: 'Para confirmar que ha recibido esto:',
  code: 'Código',
  alarms: (count) => `${count} alarmas`,
  first: 'Primera',
  mostUrgent: 'La más urgente',
  andMore: (count) => `y ${count} más`,
  taken: (by) => (by === '' ? 'Atendida' : `Atendida por ${by}`),
  over: (time) => `Terminada a las ${time}`,
};

const known: Readonly<Record<TemplateLanguage, CallWords>> = {
  en: english,
  fr: french,
  de: german,
  es: spanish,
};

export const callLanguages: readonly TemplateLanguage[] = templateLanguages;

/** The supported language of a BCP 47 tag: its first part, or English. */
export function callLanguageOf(tag: string): TemplateLanguage {
  const [language = ''] = tag.toLowerCase().split(/[-_]/, 1);
  return callLanguages.find((one) => one === language) ?? 'en';
}

export function callWordsOf(tag: string): CallWords {
  return known[callLanguageOf(tag)];
}
