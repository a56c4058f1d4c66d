import type { DialogueWords } from './words.ts';

export const spanish: DialogueWords = {
  greeting: (caller) => `Aquí ${caller}.`,
  firstOf: (alarms) => `Hay ${alarms} alarmas. La primera:`,
  alarmNumber: (number, alarms) => `Alarma ${number} de ${alarms}:`,
  further: (alarms) => (alarms === 1 ? 'Hay otra alarma.' : `Hay otras ${alarms} alarmas.`),
  pressToTake: 'Para hacerse cargo de la alarma, pulse 1.',
  pressToTakeHeard: 'Para hacerse cargo de las alarmas que ha oído, pulse 1.',
  pressForNext: 'Para la alarma siguiente, pulse 3.',
  pressToTakeThis: 'Para hacerse cargo solo de esta alarma, pulse 4.',
  pressToRefuse: 'Si no puede, pulse 2, y se llama ahora a la persona siguiente.',
  pressToConfirm: 'Para confirmar que ha recibido esta llamada, pulse 1.',
  pressToConfirmTest: 'Pulse 1 para confirmar.',
  pressToRepeat: 'Para oírlo otra vez, pulse asterisco.',
  codeToTake: (alarms, code) =>
    `Para hacerse cargo de ${alarms === 1 ? 'la alarma' : `las ${alarms} alarmas`}, pulse ${code}. ` +
    'Para confirmar solo que ha recibido esta llamada, pulse las mismas cifras y después 2.',
  codeToConfirm: (code) => `Para confirmar que ha recibido esta llamada, pulse ${code}.`,
  enterPin: 'Introduzca su clave personal y pulse almohadilla.',
  wrongPin: 'Esta clave no es correcta.',
  wrongCode: 'Estas cifras no son correctas.',
  tooManyWrong: 'Demasiadas cifras incorrectas. Adiós.',
  taken: (alarms) =>
    `${alarms === 1 ? 'Se ha hecho cargo de la alarma.' : `Se ha hecho cargo de ${alarms} alarmas.`} Gracias.`,
  refused: 'Se llama ahora a la persona siguiente. Gracias.',
  confirmed: 'Su confirmación está registrada. Gracias.',
  takenBefore: (by) => `De la alarma ya se ha hecho cargo ${by}.`,
  tooLate: 'Es demasiado tarde para esta respuesta: la llamada ya no está abierta.',
  notAllowed: 'No tiene permiso para hacerse cargo de esta alarma.',
  notRecorded: 'Su respuesta no se pudo registrar. Se sigue llamando a otras personas. Adiós.',
  takenBy: (name) =>
    name === ''
      ? 'Otra persona se ha hecho cargo de la alarma. Adiós.'
      : `De la alarma se ha hecho cargo ${name}. Adiós.`,
  over: 'La alarma ha terminado. Adiós.',
  goodbye: 'Adiós.',
};
