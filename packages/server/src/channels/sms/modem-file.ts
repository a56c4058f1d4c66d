/** File names and texts as the files backend of gammu-smsd has them. */

const utf16Mark = Buffer.from([0xff, 0xfe]);

/** The name of an outgoing message: urgency A is sent first. `token` tells our messages apart. */
export function outboxName(number: string, token: string, now: Date): string {
  const [day = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
  return `OUTA${day}_${time}_00_${number}_${token}.txt`;
}

const ownName = /^OUTA[0-9]{8}_[0-9]{6}_00_\+?[0-9]{3,20}_[0-9a-f]{16}\.txt$/;

/** Whether the name is one of ours. A reference is such a name, so none of them leads out of its folder. */
export function isOwnName(name: string): boolean {
  return ownName.test(name);
}

/** UTF-16 with a mark, because without one gammu-smsd reads the text in the character set of its locale. */
export function outboxText(text: string): Buffer {
  return Buffer.concat([utf16Mark, Buffer.from(text, 'utf16le')]);
}

export type InboxName = {
  /** The same for all parts of a message. */
  readonly message: string;
  readonly from: string;
  readonly part: number;
};

/** Reads the name of a received text; undefined for another file. */
export function readInboxName(name: string): InboxName | undefined {
  const [, message, from, part] =
    /^(IN[0-9]{8}_[0-9]{6}_[0-9]+_(.{1,40}))_([0-9]{1,3})\.txt$/.exec(name) ?? [];
  if (message === undefined || from === undefined) return undefined;
  return { message, from, part: Number(part) };
}

/** Reads a received text: UTF-16 with `inboxformat = unicode`, UTF-8 otherwise. */
export function readInboxText(content: Buffer): string {
  if (content.subarray(0, 2).equals(utf16Mark)) return content.toString('utf16le', 2);
  const isBigEndian = content[0] === 0xfe && content[1] === 0xff && content.length % 2 === 0;
  return isBigEndian
    ? Buffer.from(content.subarray(2)).swap16().toString('utf16le')
    : content.toString('utf8');
}
