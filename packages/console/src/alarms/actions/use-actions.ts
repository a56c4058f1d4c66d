import { useCallback, useMemo, useState } from 'react';
import { randomKey } from '../../services/random-key.ts';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';

export type Actions = {
  acknowledge(ids: readonly number[]): Promise<boolean>;
  reset(ids: readonly number[]): Promise<boolean>;
  comment(ids: readonly number[], comment: string): Promise<boolean>;
  mask(ids: readonly number[], reason: string, seconds: number): Promise<boolean>;
  unmask(ids: readonly number[]): Promise<boolean>;
  /** What was not done and why; stays until it is read. */
  readonly failure: string | undefined;
  dismiss(): void;
};

/** What an operator does with alarms. Each request has a key, so that a repeated one has no second effect. */
export function useActions(): Actions {
  const { api } = useServices();
  const words = useWords().actions;
  const [failure, setFailure] = useState<string>();

  const send = useCallback(
    async (ids: readonly number[], action: string, label: string, body: object = {}): Promise<boolean> => {
      try {
        await Promise.all(
          ids.map((id) => api.post(`/alarms/${id}/${action}`, body, { idempotencyKey: randomKey() })),
        );
        setFailure(undefined);
        return true;
      } catch (error) {
        setFailure(words.failed(label, reasonOf(error)));
        return false;
      }
    },
    [api, words],
  );

  return useMemo(
    () => ({
      acknowledge: (ids) => send(ids, 'acknowledge', words.acknowledge),
      reset: (ids) => send(ids, 'reset', words.reset),
      comment: (ids, comment) => send(ids, 'comment', words.comment, { comment }),
      mask: (ids, reason, seconds) => send(ids, 'mask', words.mask, { reason, seconds }),
      unmask: (ids) => send(ids, 'unmask', words.unmask),
      failure,
      dismiss: () => setFailure(undefined),
    }),
    [send, words, failure],
  );
}
