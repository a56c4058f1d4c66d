import { setTimeout as sleep } from 'node:timers/promises';
import { advanceDialogue, type DialogueSettings, type Prompt, startDialogue } from '@tocsin/domain';
import { ConnectionFault, faultReasons, logFault, reasonOf } from '../network/connection-fault.ts';
import type { ChannelContext } from '../port/channel.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome, ReportLeg, ReportReply } from '../port/outcome.ts';
import type { Telephony } from '../port/telephony.ts';
import { startWorker, type Worker } from './baresip-worker.ts';
import type { CallResources } from './call-resources.ts';
import { createConversation } from './conversation.ts';
import { dialledUri } from './dialled-number.ts';
import { dialogueSettingsOf } from './dialogue-settings.ts';
import { registerWorker } from './register-worker.ts';
import { createLeg, type SipLeg } from './sip-leg.ts';
import type { Trunk } from './sip-settings.ts';
import { checkCertificate, findTrunk, type TrunkAddress } from './trunk-address.ts';

export type CallParts = {
  readonly trunk: Trunk;
  readonly context: ChannelContext;
  readonly telephony: Telephony;
  readonly resources: CallResources;
};

/** A trunk that sends nothing at all for this time is down: the next one is tried. */
const tryingMs = 5_000;
const pollMs = 50;
/** Silence after each prompt. baresip hangs up at the end of a file, which ends the call if this server dies. */
const tailSeconds = 60;
const renderMs = 6_000;
/** After the end of a call baresip may still have to repeat a BYE or to confirm an answer. */
const partingMs = 1_500;

/** Also the reason of a check. */
export const noBaresip =
  'the program that makes calls (baresip) does not start: is it installed on the server?';

const failed = (reason: string): ChannelOutcome => ({
  kind: 'failed',
  permanent: false,
  blame: 'channel',
  reason,
});

/** Places one call. `onLeg` gets it before it is dialled, with the end of its process, so that it can be hung up from then on. */
export async function placeCall(
  parts: CallParts,
  message: Message,
  {
    signal,
    report,
    onLeg,
  }: {
    signal: AbortSignal;
    report: ReportLeg | undefined;
    onLeg: (leg: SipLeg, ended: Promise<void>) => void;
  },
): Promise<ChannelOutcome> {
  const uri = dialledUri(message.address, parts.trunk);
  if (uri === undefined)
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'not a telephone number' };
  try {
    const worker = await readyWorker(parts, message, signal);
    if ('kind' in worker) return worker;
    const leg = legOver(parts, message, { worker, report });
    onLeg(leg, endWorker(parts.trunk, leg, worker));
    return await dial(leg, { worker, uri, signal });
  } catch (error) {
    logFault(parts.context.log, parts.trunk.host, error);
    return failed(error instanceof ConnectionFault ? reasonOf(error) : 'the call could not be prepared');
  }
}

/** Checks the trunk, speaks the first prompts into the cache, and starts a process that is logged in. */
async function readyWorker(
  parts: CallParts,
  message: Message,
  signal: AbortSignal,
): Promise<Worker | ChannelOutcome> {
  const { trunk } = parts;
  const [address] = await Promise.all([
    checkedAddress(parts),
    renderOpening(parts, dialogueSettingsOf(message, trunk)),
  ]);
  if (signal.aborted) return failed(faultReasons.late);
  const worker = await openWorker(parts, address);
  if (worker === 'no ports') return { kind: 'notNow', reason: 'no free port', retryAfterSeconds: 2 };
  if (worker === undefined) return failed(noBaresip);
  if (!trunk.registers || (await registerWorker(worker, signal))) return worker;
  await worker.kill();
  return failed('the telephone system did not accept the log-in');
}

export async function checkedAddress({ trunk, context }: CallParts): Promise<TrunkAddress> {
  const address = await findTrunk(context.egress, trunk);
  if (trunk.transport === 'tls') await checkCertificate(context.egress, trunk, address.remote);
  return address;
}

export async function openWorker(
  { trunk, resources }: CallParts,
  address: TrunkAddress,
): Promise<Worker | 'no ports' | undefined> {
  const place = await resources.open();
  const ports = await place.ports.acquire(address.local);
  if (!ports) return 'no ports';
  return startWorker(place.directory.next(), { trunk, address, ports, silence: place.silence });
}

/** The first prompts are ready when the person picks up. */
async function renderOpening(parts: CallParts, settings: DialogueSettings): Promise<void> {
  const { actions } = advanceDialogue(startDialogue(settings), { kind: 'answered' });
  for (const action of actions)
    if (action.kind === 'say') {
      const { file } = await render(parts, settings.language, action.prompts);
      // baresip would let the phone ring, and hang up as soon as somebody answers.
      if (file === '') throw new Error('the spoken message could not be written');
    }
}

function render({ telephony, context }: CallParts, language: string, prompts: readonly Prompt[]) {
  const signal = AbortSignal.timeout(renderMs);
  return telephony.speech.render(prompts, language, { tailSeconds, readMedia: context.readMedia, signal });
}

const noReply: ReportReply = { judgement: '', takenBy: '' };

function legOver(
  parts: CallParts,
  message: Message,
  { worker, report }: { worker: Worker; report: ReportLeg | undefined },
): SipLeg {
  const { trunk, context, resources } = parts;
  const reference = `sip-${crypto.randomUUID()}`;
  const settings = dialogueSettingsOf(message, trunk);
  // One after the other, because the server carries them out in this order.
  let last: Promise<ReportReply> = Promise.resolve(noReply);
  const tell = (outcome: ChannelOutcome) => {
    last = last.then(async () => {
      try {
        return (await report?.(outcome)) ?? noReply;
      } catch (error) {
        context.log.warn({ err: error }, 'the report of a call failed');
        return noReply;
      }
    });
    return last;
  };
  return createLeg({
    reference,
    worker,
    ringSeconds: trunk.ringSeconds,
    report: tell,
    converse: (line) =>
      createConversation({
        settings,
        line,
        silence: resources.silence(),
        render: (prompts) => render(parts, settings.language, prompts),
        press: (pressed) => tell({ kind: 'pressed', reference, ...pressed }),
      }),
  });
}

async function dial(
  leg: SipLeg,
  { worker, uri, signal }: { worker: Worker; uri: string; signal: AbortSignal },
): Promise<ChannelOutcome> {
  const tooLate = AbortSignal.any([signal, AbortSignal.timeout(tryingMs)]);
  if ((await worker.command('dial', uri)) === undefined) await worker.kill();
  while (!tooLate.aborted) {
    // baresip has no event for "100 Trying", so its transaction is looked at.
    const state = await worker.command('sipstat');
    if (state !== undefined && /INVITE\s+PROCEEDING/.test(state)) leg.onTrying();
    const placed = await Promise.race([leg.placed, sleep(pollMs, undefined)]);
    if (placed !== undefined) return placed;
  }
  // baresip would go on repeating its INVITE, and a phone would ring for nobody.
  await worker.kill();
  return failed('the telephone system does not answer');
}

/** Ends the process after the call. */
async function endWorker({ registers }: Trunk, leg: SipLeg, worker: Worker): Promise<void> {
  const [placed, outcome] = await Promise.all([leg.placed, leg.closed]);
  // A process whose INVITE was not answered would go on repeating it.
  if (placed.kind !== 'accepted' || outcome.kind === 'failed') return worker.kill();
  const deadline = performance.now() + partingMs;
  while (performance.now() < deadline && isBusy(await worker.command('sipstat'))) await sleep(pollMs);
  return registers ? worker.quit() : worker.kill();
}

/** Whether a request has no final answer yet; false if the process has ended. */
function isBusy(state: string | undefined): boolean {
  const [, clients = ''] = /client transactions:\n([^]*?)server transactions:/.exec(state ?? '') ?? [];
  return /\b(CALLING|TRYING|PROCEEDING)\b/.test(clients);
}
