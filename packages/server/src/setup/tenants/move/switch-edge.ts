import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CannotStart } from '../../cannot-start.ts';
import type { NamedTenant } from '../owner-connection.store.ts';

const timeout = 10_000;

/** Runs the operator's program that leads clients to the other cell, with the name and the number of the tenant. */
export async function switchEdge(program: string, { id, name }: NamedTenant): Promise<void> {
  try {
    await promisify(execFile)(program, [name, String(id)], { timeout });
  } catch (error) {
    throw new CannotStart([
      `The other cell serves the tenant, but ${program} failed: ${error instanceof Error ? error.message : String(error)}`,
      'Lead the clients of the tenant to the other cell by hand, now.',
    ]);
  }
}
