import { statfs } from 'node:fs/promises';
import type { ReadSettings } from '../settings/config.ts';
import { nearestFolder, writtenFolders } from './check-files.ts';
import { error, type Finding, orOk, warning } from './finding.ts';

const megabyte = 1_000_000;
const errorBytes = 100 * megabyte;
const warningBytes = 1_000 * megabyte;

type Space = { readonly path: string; readonly freeBytes: number };

/** The free space where the server writes. */
export async function checkDisk(settings: ReadSettings): Promise<readonly Finding[]> {
  const paths = [...new Set(writtenFolders(settings).map(({ path }) => nearestFolder(path)))];
  const spaces = await Promise.all(paths.map(readSpace));
  const least = spaces.toSorted((one, other) => one.freeBytes - other.freeBytes)[0];
  const told = least === undefined ? '' : `, at least ${inMegabytes(least.freeBytes)}`;
  return orOk(spaces.flatMap(judgeSpace), 'disk', `There is free space for the server${told}`);
}

async function readSpace(path: string): Promise<Space> {
  const { bavail, bsize } = await statfs(path);
  return { path, freeBytes: bavail * bsize };
}

/** Prompts and files of calls need little; a full disk silences telephone calls. */
export function judgeSpace({ path, freeBytes }: Space): Finding[] {
  if (freeBytes >= warningBytes) return [];
  const make = freeBytes < errorBytes ? error : warning;
  const message = `Only ${inMegabytes(freeBytes)} are free at ${path}`;
  return [make('disk.space', message, 'delete what is not needed there, or set another folder')];
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / megabyte)} MB`;
}
