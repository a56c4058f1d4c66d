import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { CannotStart } from '../cannot-start.ts';

const format = 'tocsin-backup-1';

/** What a tenant had at the moment of the backup. */
export type TenantContent = {
  id: number;
  name: string;
  /** Number of the last journal entry; 0 if there is none. */
  journalEnd: number;
  /** Rows in all tables. */
  rows: number;
};

/** A routine that belongs to another role than the tables do. */
export type OwnedRoutine = { routine: string; owner: string };

/** Describes a backup: the file beside the dump. */
export type Manifest = {
  format: typeof format;
  /** The moment of the backup: later changes are not in it. */
  takenAt: string;
  /** The newest migration of the database. */
  migration: string;
  postgres: string;
  bytes: number;
  sha256: string;
  tenants: TenantContent[];
  routines: OwnedRoutine[];
};

export const manifestFile = (file: string): string => `${file}.json`;

export function writeManifest(content: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format, ...content }, undefined, 2)}\n`;
}

/** Reads the manifest of a backup, and compares the backup with it. */
export async function readManifest(file: string): Promise<Manifest> {
  const manifest = parse(await readFile(manifestFile(file), 'utf8').catch(() => missing(file)), file);
  const { size } = await stat(file);
  if (size !== manifest.bytes)
    throw new CannotStart([
      `${file} is not whole: it has ${size} bytes, and its manifest says ${manifest.bytes}. Copy it again.`,
    ]);
  if ((await hashOf(file)) !== manifest.sha256)
    throw new CannotStart([`${file} was changed: its hash is not that of its manifest. Copy it again.`]);
  return manifest;
}

function missing(file: string): never {
  throw new CannotStart([
    `There is no manifest ${manifestFile(file)}: the backup has two files, keep them together. Restore a dump of another origin with pg_restore.`,
  ]);
}

function parse(text: string, file: string): Manifest {
  const isManifest = (value: unknown): value is Manifest =>
    typeof value === 'object' && value !== null && 'format' in value && value.format === format;
  try {
    const value: unknown = JSON.parse(text);
    if (isManifest(value)) return value;
  } catch {
    // Told below.
  }
  throw new CannotStart([`${manifestFile(file)} is not the manifest of a backup of this program.`]);
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
