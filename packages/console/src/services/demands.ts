import type { ProblemError } from '@tocsin/client';
import type { Approval } from '@tocsin/contract';
import { createListeners } from './listeners.ts';

/** What the server has demanded in its answers to the requests of this page. */
export type DemandState = {
  /** A request waits until the user has shown again that it is them. */
  readonly isConfirming: boolean;
  /** The role of the user needs a second factor, and there is none yet. */
  readonly needsFactor: boolean;
  /** The last request that waits for a second person, until the user has read it. */
  readonly approval: Approval | undefined;
};

export type Demands = {
  getSnapshot(): DemandState;
  subscribe(listener: () => void): () => void;
  /** True if the request is to be sent once more. */
  onRefused(problem: ProblemError): Promise<boolean>;
  onApproval(approval: Approval | undefined): void;
  /** Ends the question: true sends the waiting requests once more, false lets them fail. */
  answer(isConfirmed: boolean): void;
  /** After the set-up of a second factor, and when somebody signs out. */
  forget(): void;
};

const nothing: DemandState = { isConfirming: false, needsFactor: false, approval: undefined };

/** Several requests that are refused at once share one question. */
export function createDemands(): Demands {
  let state = nothing;
  let waiting: ((isConfirmed: boolean) => void)[] = [];
  const { tell, subscribe } = createListeners();
  const change = (part: Partial<DemandState>) => {
    state = { ...state, ...part };
    tell();
  };
  const settle = (isConfirmed: boolean) => {
    const answered = waiting;
    waiting = [];
    for (const resolve of answered) resolve(isConfirmed);
  };
  const confirm = () =>
    new Promise<boolean>((resolve) => {
      waiting.push(resolve);
      change({ isConfirming: true });
    });
  return {
    getSnapshot: () => state,
    subscribe,
    onRefused: async ({ code }) => {
      if (code === 'second-factor-required') change({ needsFactor: true });
      return code === 'confirmation-required' && confirm();
    },
    onApproval: (approval) => change({ approval }),
    answer: (isConfirmed) => {
      change({ isConfirming: false });
      settle(isConfirmed);
    },
    forget: () => {
      change(nothing);
      settle(false);
    },
  };
}
