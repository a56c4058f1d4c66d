/** The sentences of a call in one language. Codes are passed as separated digits. */
export type DialogueWords = {
  readonly greeting: (caller: string) => string;
  /** Before the first of several alarms. */
  readonly firstOf: (alarms: number) => string;
  readonly alarmNumber: (number: number, alarms: number) => string;
  readonly further: (alarms: number) => string;
  readonly pressToTake: string;
  /** Offered instead of `pressToTake` when there are several alarms. */
  readonly pressToTakeHeard: string;
  readonly pressForNext: string;
  readonly pressToTakeThis: string;
  readonly pressToRefuse: string;
  readonly pressToConfirm: string;
  /** After the text of a test. */
  readonly pressToConfirmTest: string;
  readonly pressToRepeat: string;
  readonly codeToTake: (alarms: number, code: string) => string;
  readonly codeToConfirm: (code: string) => string;
  readonly enterPin: string;
  readonly wrongPin: string;
  readonly wrongCode: string;
  readonly tooManyWrong: string;
  readonly taken: (alarms: number) => string;
  readonly refused: string;
  readonly confirmed: string;
  readonly takenBefore: (by: string) => string;
  /** The answer came too late, and nobody in particular has taken the alarm. */
  readonly tooLate: string;
  readonly notAllowed: string;
  readonly notRecorded: string;
  readonly takenBy: (name: string) => string;
  readonly over: string;
  readonly goodbye: string;
};
