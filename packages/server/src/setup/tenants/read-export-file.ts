import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { Value } from 'typebox/value';
import { CannotStart } from '../cannot-start.ts';
import { Header } from './export-format.ts';

export type ExportFile = { readonly header: Header; readonly lines: AsyncIterator<string> };

/** Opens an export and reads its header; the other lines follow. */
export async function openExport(file: string): Promise<ExportFile> {
  const lines = readLines(file);
  const first = await lines.next();
  const header: unknown = first.done === true ? undefined : parseLine(first.value);
  if (!Value.Check(Header, header)) throw new CannotStart([`${file} is not the export of a tenant.`]);
  return { header, lines };
}

async function* readLines(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  createReadStream(file)
    .on('error', (error) => unpacked.destroy(error))
    .pipe(unpacked);
  try {
    yield* createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotStart([`${file} cannot be read: ${reason}`], error);
  }
}

/** Undefined if the line is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
