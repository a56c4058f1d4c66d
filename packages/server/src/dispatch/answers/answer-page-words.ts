import type { TemplateLanguage } from '@tocsin/contract';
import { callLanguageOf } from '../../channels/port/call-words.ts';

/** The texts of the answer page in one language. */
export type AnswerPageWords = {
  readonly youWereCalled: string;
  readonly calledWhen: (name: string, time: string) => string;
  readonly alarm: (alarm: { name: string; place: string; time: string }) => string;
  readonly take: (alarms: number) => string;
  readonly confirm: string;
  readonly confirmOnly: string;
  readonly answered: string;
  readonly confirmed: string;
  readonly othersAreCalled: string;
  readonly taken: (id: number) => string;
  readonly takenBefore: (id: number, by: string) => string;
  readonly over: (id: number) => string;
  readonly notValid: string;
  readonly used: string;
  readonly stale: string;
  readonly locked: string;
  readonly notAllowed: string;
};

const english: AnswerPageWords = {
  youWereCalled: 'You were called',
  calledWhen: (name, time) => `For ${name}, ${time}.`,
  alarm: ({ name, place, time }) =>
    `${[name, place].filter((part) => part !== '').join(', ')}: since ${time}.`,
  take: (alarms) => `I take ${alarms === 1 ? 'the alarm' : `all ${alarms} alarms`}`,
  confirm: 'I have got the call',
  confirmOnly: 'I have got the call; call others too',
  answered: 'Answered',
  confirmed: 'Thank you. It is noted that you have got the call.',
  othersAreCalled: 'Thank you. The alarm is still open: others are still being called.',
  taken: (id) => `Alarm ${id} is yours. Nobody else is called for it.`,
  takenBefore: (id, by) => `Alarm ${id} was taken by ${by || 'somebody else'} before you.`,
  over: (id) => `Alarm ${id} is over.`,
  notValid: 'This link is not valid',
  used: 'This call was answered before.',
  stale: 'This link is too old to answer with.',
  locked: 'This call can no longer be answered with a code.',
  notAllowed: 'You may no longer answer calls here.',
};

const french: AnswerPageWords = {
  youWereCalled: 'Vous avez été appelé',
  calledWhen: (name, time) => `Pour ${name}, ${time}.`,
  alarm: ({ name, place, time }) =>
    `${[name, place].filter((part) => part !== '').join(', ')} : depuis ${time}.`,
  take: (alarms) => `Je prends ${alarms === 1 ? "l'alarme" : `les ${alarms} alarmes`}`,
  confirm: "J'ai reçu l'appel",
  confirmOnly: "J'ai reçu l'appel ; appelez aussi les autres",
  answered: 'Réponse enregistrée',
  confirmed: "Merci. Il est noté que vous avez reçu l'appel.",
  othersAreCalled: "Merci. L'alarme reste ouverte : les autres sont appelés.",
  taken: (id) => `L'alarme ${id} est à vous. Personne d'autre n'est appelé pour elle.`,
  takenBefore: (id, by) => `L'alarme ${id} a été prise avant vous par ${by || "quelqu'un d'autre"}.`,
  over: (id) => `L'alarme ${id} est terminée.`,
  notValid: "Ce lien n'est pas valable",
  used: 'Cet appel a déjà reçu une réponse.',
  stale: 'Ce lien est trop ancien pour répondre.',
  locked: 'Il n’est plus possible de répondre à cet appel par un code.',
  notAllowed: 'Vous ne pouvez plus répondre aux appels ici.',
};

const german: AnswerPageWords = {
  youWereCalled: 'Sie wurden angerufen',
  calledWhen: (name, time) => `Für ${name}, ${time}.`,
  alarm: ({ name, place, time }) =>
    `${[name, place].filter((part) => part !== '').join(', ')}: seit ${time}.`,
  take: (alarms) => `Ich übernehme ${alarms === 1 ? 'den Alarm' : `alle ${alarms} Alarme`}`,
  confirm: 'Ich habe den Anruf erhalten',
  confirmOnly: 'Ich habe den Anruf erhalten; rufen Sie auch andere an',
  answered: 'Beantwortet',
  confirmed: 'Danke. Es ist vermerkt, dass Sie den Anruf erhalten haben.',
  othersAreCalled: 'Danke. Der Alarm ist noch offen: andere werden weiter angerufen.',
  taken: (id) => `Alarm ${id} gehört Ihnen. Niemand sonst wird seinetwegen angerufen.`,
  takenBefore: (id, by) => `Alarm ${id} wurde schon von ${by || 'jemand anderem'} übernommen.`,
  over: (id) => `Alarm ${id} ist vorbei.`,
  notValid: 'Dieser Link ist nicht gültig',
  used: 'Dieser Anruf wurde schon beantwortet.',
  stale: 'Dieser Link ist zu alt, um damit zu antworten.',
  locked: 'Dieser Anruf kann nicht mehr mit einem Code beantwortet werden.',
  notAllowed: 'Sie dürfen hier keine Anrufe mehr beantworten.',
};

const spanish: AnswerPageWords = {
  youWereCalled: 'Le hemos llamado',
  calledWhen: (name, time) => `Para ${name}, ${time}.`,
  alarm: ({ name, place, time }) =>
    `${[name, place].filter((part) => part !== '').join(', ')}: desde ${time}.`,
  take: (alarms) => `Me hago cargo de ${alarms === 1 ? 'la alarma' : `las ${alarms} alarmas`}`,
  confirm: 'He recibido la llamada',
  confirmOnly: 'He recibido la llamada; llamen también a otros',
  answered: 'Respuesta registrada',
  confirmed: 'Gracias. Queda anotado que ha recibido la llamada.',
  othersAreCalled: 'Gracias. La alarma sigue abierta: se sigue llamando a otros.',
  taken: (id) => `La alarma ${id} es suya. No se llama a nadie más por ella.`,
  takenBefore: (id, by) => `${by || 'Otra persona'} se hizo cargo de la alarma ${id} antes que usted.`,
  over: (id) => `La alarma ${id} ha terminado.`,
  notValid: 'Este enlace no es válido',
  used: 'Esta llamada ya fue respondida.',
  stale: 'Este enlace es demasiado antiguo para responder.',
  locked: 'Ya no se puede responder a esta llamada con un código.',
  notAllowed: 'Ya no puede responder a llamadas aquí.',
};

const known: Readonly<Record<TemplateLanguage, AnswerPageWords>> = {
  en: english,
  fr: french,
  de: german,
  es: spanish,
};

/** The texts in the language in which this person is called. */
export function answerPageWordsOf(tag: string): AnswerPageWords {
  return known[callLanguageOf(tag)];
}
