import { logFault, reasonOf } from '../network/connection-fault.ts';
import { type Channel, channelKind, type Health } from '../port/channel.ts';
import type { ChannelOutcome, LegReference } from '../port/outcome.ts';
import { callResourcesOf, type LiveCall } from './call-resources.ts';
import { dialogueAlarmOf } from './dialogue-settings.ts';
import { askForOptions } from './options-request.ts';
import { type CallParts, checkedAddress, noBaresip, openWorker, placeCall } from './place-call.ts';
import { registerWorker } from './register-worker.ts';
import type { SipLeg } from './sip-leg.ts';
import { SipSettings, trunkOf } from './sip-settings.ts';

/** Real telephone calls through a PBX or a SIP trunk. */
export const sipKind = channelKind({
  title: 'Telephone (SIP)',
  description:
    'Calls people through a PBX or a SIP trunk, speaks the message, and takes their answer by keys.',
  media: ['Voice'],
  settings: SipSettings,
  create: (settings, context) => {
    const { telephony } = context;
    const trunk = trunkOf(settings);
    if (!telephony) return withoutTelephony;
    return sipChannel({ trunk, context, telephony, resources: callResourcesOf(telephony) });
  },
});

const notHere = 'this server makes no telephone calls';
const withoutTelephony: Channel = {
  place: async () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: notHere }),
  check: async () => ({ works: false, reason: notHere }),
};

/** A line is soon free again: a call takes a minute or two. */
const noLine: ChannelOutcome = { kind: 'notNow', reason: 'all lines are in use', retryAfterSeconds: 2 };
const closeMs = 3_500;

function sipChannel(parts: CallParts): Channel {
  const { trunk } = parts;
  const { calls } = parts.resources;
  /** The calls of this channel, each with the end of its process. */
  const own = new Map<SipLeg, Promise<void>>();
  let inUse = 0;
  const find = ({ attemptId }: LegReference) => calls.get(attemptId);
  return {
    place: async (message, signal, report) => {
      if (inUse >= trunk.lines) return noLine;
      inUse += 1;
      const call: LiveCall = { leg: undefined };
      calls.set(message.attemptId, call);
      const free = () => {
        inUse -= 1;
        if (calls.get(message.attemptId) === call) calls.delete(message.attemptId);
      };
      const onLeg = (leg: SipLeg, ended: Promise<void>) => {
        call.leg = leg;
        own.set(leg, ended);
        void ended.finally(() => own.delete(leg));
      };
      const outcome = await placeCall(parts, message, { signal, report, onLeg });
      if (outcome.kind === 'accepted' && call.leg) void call.leg.closed.finally(free);
      else free();
      return outcome;
    },
    announce: async (reference, alarms) => {
      const conversation = find(reference)?.leg?.conversation;
      if (!conversation?.canAnnounce()) return false;
      conversation.handle({ kind: 'announced', alarms: alarms.map(dialogueAlarmOf) });
      return true;
    },
    hangUp: async (reference, _signal, farewell) => {
      const leg = find(reference)?.leg;
      if (leg?.state().kind === 'answered') leg.conversation.end(farewell);
      else leg?.hangUp();
    },
    query: async (reference) => find(reference)?.leg?.state(),
    callsLiveHere: true,
    capacity: () => ({ lines: trunk.lines, inUse }),
    check: (signal) => checkTrunk(parts, signal),
    close: async () => {
      const legs = [...own.keys()];
      const ended = [...own.values()];
      for (const leg of legs) leg.hangUp();
      const late = new Promise((resolve) => setTimeout(resolve, closeMs).unref());
      await Promise.race([Promise.all([...ended, ...legs.map(({ stored }) => stored)]), late]);
    },
  };
}

async function checkTrunk(parts: CallParts, signal: AbortSignal): Promise<Health> {
  const { trunk, context } = parts;
  try {
    const address = await checkedAddress(parts);
    if (!trunk.registers) return await askForOptions(context.egress, trunk, { address, signal });
    const worker = await openWorker(parts, address);
    if (worker === undefined) return { works: false, reason: noBaresip };
    if (worker === 'no ports') return { works: false, reason: 'no port is free for a log-in (SIP_PORTS)' };
    const isRegistered = await registerWorker(worker, signal);
    await worker.quit();
    return isRegistered
      ? { works: true }
      : { works: false, reason: 'the telephone system did not accept the log-in' };
  } catch (error) {
    logFault(context.log, trunk.host, error);
    return { works: false, reason: reasonOf(error) };
  }
}
