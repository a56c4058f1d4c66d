import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Telephony } from '../port/telephony.ts';
import { bytesPerSecond, wavHeader } from '../speech/wav.ts';
import { createPortBlocks } from './port-blocks.ts';
import type { SipLeg } from './sip-leg.ts';
import { openServerDirectory, type ServerDirectory } from './worker-directory.ts';

/** `leg` is undefined until the process of the call is ready. */
export type LiveCall = { leg: SipLeg | undefined };

/** The folders, the ports and the calls of this server, for all its trunks. */
export type CallResources = {
  /** By the name of the attempt. A call outlives a change of the settings of its channel. */
  readonly calls: Map<string, LiveCall>;
  open(): Promise<{
    readonly directory: ServerDirectory;
    readonly ports: ReturnType<typeof createPortBlocks>;
    readonly silence: string;
  }>;
  /** The file of silence; exists after `open`. */
  silence(): string;
};

const resources = new Map<string, CallResources>();

/** The resources in a directory. Opened with the first call, and then kept until this process ends. */
export function callResourcesOf(telephony: Pick<Telephony, 'directory' | 'ports'>): CallResources {
  const { first, last } = telephony.ports;
  const key = `${telephony.directory} ${first}-${last}`;
  const known = resources.get(key) ?? createResources(telephony);
  resources.set(key, known);
  return known;
}

/** Longer than a phone may ring. */
const silenceSeconds = 180;

function createResources({ directory: root, ports }: Pick<Telephony, 'directory' | 'ports'>): CallResources {
  const blocks = createPortBlocks(ports);
  let opening: ReturnType<CallResources['open']> | undefined;
  let silence = '';
  const open = async () => {
    const directory = await openServerDirectory(root);
    silence = join(directory.path, 'silence.wav');
    const bytes = silenceSeconds * bytesPerSecond;
    await writeFile(silence, Buffer.concat([wavHeader(bytes), Buffer.alloc(bytes)]), { mode: 0o600 });
    return { directory, ports: blocks, silence };
  };
  return {
    calls: new Map(),
    open: () => {
      // A directory that could not be made is tried again with the next call.
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    silence: () => silence,
  };
}
