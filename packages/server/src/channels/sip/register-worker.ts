import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from './baresip-worker.ts';

const registerMs = 3_000;
const pollMs = 50;
/** baresip colours the state, without a space before it. */
const coloured = /\p{Cc}\[[0-9;]*m/gu;

/** Waits until baresip is logged in to the trunk. Returns false if the trunk refuses it or does not answer in time. */
export async function registerWorker(worker: Worker, signal: AbortSignal): Promise<boolean> {
  const tooLate = AbortSignal.any([signal, AbortSignal.timeout(registerMs)]);
  while (!tooLate.aborted) {
    const shown = await worker.command('reginfo');
    if (shown === undefined) return false;
    const words = shown.replace(coloured, ' ').split(/\s+/);
    if (words.includes('OK')) return true;
    if (words.includes('ERR')) return false;
    await sleep(pollMs);
  }
  return false;
}
