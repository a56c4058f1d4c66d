import type { ProblemError, Session } from '@tocsin/client';
import type { DeskAnswer } from '@tocsin/contract';
import { currentTime } from '../time/current-time.ts';
import { createListeners } from './listeners.ts';

/** Somebody who acts at a shared desk in their own name. */
type Actor = { readonly id: number; readonly name: string; readonly until: number };

export type DeskState = {
  /** The name of the desk; undefined if this browser is no shared desk. */
  readonly name: string | undefined;
  readonly actor: Actor | undefined;
  /** A change waits until somebody has said who they are. */
  readonly isAsking: boolean;
};

export type SharedDesk = {
  getSnapshot(): DeskState;
  subscribe(listener: () => void): () => void;
  /** The token of whoever acts, else that of the desk. */
  accessToken(rejected?: string): Promise<string>;
  /** Asks who acts if a change needs somebody. True if the request is to be sent once more. */
  onRefused(problem: ProblemError, method: string): Promise<boolean>;
  /** Somebody has acted, and stays signed in for a while. */
  onChanged(): void;
  /** Undefined: the browser is no shared desk any more. */
  name(name: string | undefined): void;
  ask(): Promise<boolean>;
  begin(answer: DeskAnswer): void;
  /** The actor leaves, or nobody has answered the question. */
  leave(): void;
};

const key = 'tocsin-shared-desk';
const nobody = { actor: undefined, isAsking: false } as const;

const keepName = (name: string | undefined) =>
  name === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, name);

type Held = { readonly token: string; readonly milliseconds: number };

/** Requests that wait until somebody has signed in at the desk, or nobody wants to. */
function createWaitingList() {
  let waiting: ((isSomebody: boolean) => void)[] = [];
  return {
    join: () => new Promise<boolean>((resolve) => waiting.push(resolve)),
    answer: (isSomebody: boolean) => {
      const asked = waiting;
      waiting = [];
      for (const resolve of asked) resolve(isSomebody);
    },
  };
}

/** This browser as a shared desk. Its session only reads; whoever acts has a token of their own for a while. */
export function createSharedDesk(session: Pick<Session, 'accessToken'>): SharedDesk {
  let state: DeskState = { name: localStorage.getItem(key) ?? undefined, ...nobody };
  let held: Held | undefined;
  const waiting = createWaitingList();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { tell, subscribe } = createListeners();
  const change = (part: Partial<DeskState>) => {
    state = { ...state, ...part };
    tell();
  };
  const leave = () => {
    clearTimeout(timer);
    held = undefined;
    change(nobody);
    waiting.answer(false);
  };
  const stay = (actor: Omit<Actor, 'until'>, milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(leave, milliseconds);
    change({ actor: { ...actor, until: currentTime() + milliseconds }, isAsking: false });
  };
  const ask = () => {
    change({ isAsking: true });
    return waiting.join();
  };
  return {
    getSnapshot: () => state,
    subscribe,
    accessToken: async (rejected) => {
      if (held && held.token !== rejected) return held.token;
      // The server has signed the actor out. The desk goes on without them.
      if (held) leave();
      return session.accessToken(rejected);
    },
    onRefused: async ({ code }, method) => {
      const isIdle = state.name !== undefined && !state.actor && !state.isAsking;
      return isIdle && method !== 'GET' && code === 'not-allowed' && ask();
    },
    onChanged: () => {
      if (held && state.actor) stay(state.actor, held.milliseconds);
    },
    name: (name) => {
      keepName(name);
      change({ name });
      leave();
    },
    ask,
    begin: ({ access_token: token, expires_in: seconds, id, name }) => {
      held = { token, milliseconds: seconds * 1_000 };
      stay({ id: Number(id), name }, held.milliseconds);
      waiting.answer(true);
    },
    leave,
  };
}
