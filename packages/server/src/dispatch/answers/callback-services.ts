import { randomBytes } from 'node:crypto';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { createAttemptNames } from '../outcomes/attempt-name.ts';
import { createCallMetrics } from '../outcomes/call-metrics.ts';
import type { CallbackServices } from './answer-callback.ts';

type AnsweredDispatch = Pick<Dispatch, 'names' | 'answerKeys' | 'publicUrl' | 'metrics'> & {
  readonly channels: Pick<Dispatch['channels'], 'find'>;
};

/** For a server that makes no calls: no answer can match. */
const noCalls = (): AnsweredDispatch => ({
  names: createAttemptNames('none'),
  answerKeys: [randomBytes(32)],
  channels: { find: async () => undefined },
  publicUrl: '',
  metrics: createCallMetrics(undefined),
});

/** The services that accept answers to the calls of a dispatcher; without one every answer is refused. */
export function callbackServices(
  runtime: Runtime,
  writer: AlarmWriter,
  dispatch: AnsweredDispatch = noCalls(),
): CallbackServices {
  const { names, answerKeys, publicUrl, channels, metrics } = dispatch;
  const { countAttempts } = metrics;
  return { runtime, writer, names, answerKeys, publicUrl, findChannel: channels.find, countAttempts };
}
