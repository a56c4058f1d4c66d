import type { DialogueWords } from './words.ts';

export const english: DialogueWords = {
  greeting: (caller) => `This is ${caller}.`,
  firstOf: (alarms) => `There are ${alarms} alarms. The first one:`,
  alarmNumber: (number, alarms) => `Alarm ${number} of ${alarms}:`,
  further: (alarms) => (alarms === 1 ? 'There is one further alarm.' : `There are ${alarms} further alarms.`),
  pressToTake: 'To take the alarm, press 1.',
  pressToTakeHeard: 'To take the alarms that you have heard, press 1.',
  pressForNext: 'For the next alarm, press 3.',
  pressToTakeThis: 'To take only this alarm, press 4.',
  pressToRefuse: 'If you cannot, press 2, and the next person is called now.',
  pressToConfirm: 'To confirm that you have got this call, press 1.',
  pressToConfirmTest: 'Press 1 to confirm.',
  pressToRepeat: 'To hear this again, press star.',
  codeToTake: (alarms, code) =>
    `To take ${alarms === 1 ? 'the alarm' : `all ${alarms} alarms`}, press ${code}. ` +
    'To confirm only that you have got this call, press the same digits and then 2.',
  codeToConfirm: (code) => `To confirm that you have got this call, press ${code}.`,
  enterPin: 'Enter your PIN, then press the hash key.',
  wrongPin: 'This PIN is wrong.',
  wrongCode: 'These digits are wrong.',
  tooManyWrong: 'There were too many wrong digits. Goodbye.',
  taken: (alarms) =>
    `${alarms === 1 ? 'You have taken the alarm.' : `You have taken ${alarms} alarms.`} Thank you.`,
  refused: 'The next person is called now. Thank you.',
  confirmed: 'Your confirmation is recorded. Thank you.',
  takenBefore: (by) => `The alarm was already taken by ${by}.`,
  tooLate: 'It is too late for this answer: the call is no longer open.',
  notAllowed: 'You are not allowed to take this alarm.',
  notRecorded: 'Your answer could not be recorded. Other people are still being called. Goodbye.',
  takenBy: (name) =>
    name === '' ? 'The alarm was taken. Goodbye.' : `The alarm was taken by ${name}. Goodbye.`,
  over: 'The alarm is over. Goodbye.',
  goodbye: 'Goodbye.',
};
