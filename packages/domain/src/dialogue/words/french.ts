import type { DialogueWords } from './words.ts';

export const french: DialogueWords = {
  greeting: (caller) => `Ici ${caller}.`,
  firstOf: (alarms) => `Il y a ${alarms} alarmes. La première :`,
  alarmNumber: (number, alarms) => `Alarme ${number} sur ${alarms} :`,
  further: (alarms) => (alarms === 1 ? 'Il y a une autre alarme.' : `Il y a ${alarms} autres alarmes.`),
  pressToTake: "Pour prendre l'alarme, tapez 1.",
  pressToTakeHeard: 'Pour prendre les alarmes que vous avez entendues, tapez 1.',
  pressForNext: "Pour l'alarme suivante, tapez 3.",
  pressToTakeThis: 'Pour prendre seulement cette alarme, tapez 4.',
  pressToRefuse: 'Si vous ne pouvez pas, tapez 2, et la personne suivante est appelée maintenant.',
  pressToConfirm: 'Pour confirmer que vous avez reçu cet appel, tapez 1.',
  pressToConfirmTest: 'Tapez 1 pour confirmer.',
  pressToRepeat: 'Pour réécouter, tapez étoile.',
  codeToTake: (alarms, code) =>
    `Pour prendre ${alarms === 1 ? "l'alarme" : `les ${alarms} alarmes`}, tapez ${code}. ` +
    'Pour confirmer seulement que vous avez reçu cet appel, tapez les mêmes chiffres puis 2.',
  codeToConfirm: (code) => `Pour confirmer que vous avez reçu cet appel, tapez ${code}.`,
  enterPin: 'Tapez votre code personnel, puis dièse.',
  wrongPin: 'Ce code personnel est faux.',
  wrongCode: 'Ces chiffres sont faux.',
  tooManyWrong: 'Trop de chiffres faux. Au revoir.',
  taken: (alarms) =>
    `${alarms === 1 ? "Vous avez pris l'alarme." : `Vous avez pris ${alarms} alarmes.`} Merci.`,
  refused: 'La personne suivante est appelée maintenant. Merci.',
  confirmed: 'Votre confirmation est enregistrée. Merci.',
  takenBefore: (by) => `L'alarme a déjà été prise par ${by}.`,
  tooLate: "Il est trop tard pour cette réponse : l'appel n'est plus ouvert.",
  notAllowed: "Vous n'êtes pas autorisé à prendre cette alarme.",
  notRecorded:
    "Votre réponse n'a pas pu être enregistrée. D'autres personnes sont encore appelées. Au revoir.",
  takenBy: (name) =>
    name === '' ? "L'alarme a été prise. Au revoir." : `L'alarme a été prise par ${name}. Au revoir.`,
  over: "L'alarme est terminée. Au revoir.",
  goodbye: 'Au revoir.',
};
