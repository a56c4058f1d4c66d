import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

type Hash = { memory: number; passes: number; parallelism: number; salt: Buffer; tag: Buffer };

/** OWASP's minimum for Argon2id: 19 MiB, two passes, a parallelism of one. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]{22,})$/;

/** Checked if a user has no hash, so that an unknown name takes as long as a known one. */
const dummyHash = writeHash({ ...cost, salt: randomBytes(16), tag: randomBytes(tagLength) });

/** `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return writeHash({ ...cost, salt, tag: await tagOf(password, { ...cost, salt, tagLength }) });
}

/** Whether the password matches the hash. Without a hash it never does, after the same time. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const { tag, ...parameters } = readHash(hash ?? dummyHash);
  const given = await tagOf(password, { ...parameters, tagLength: tag.length });
  return timingSafeEqual(given, tag);
}

/** Normalizes the password, because keyboards send the same letter, such as `é`, as different code points. */
function tagOf(password: string, parameters: Omit<Hash, 'tag'> & { tagLength: number }): Promise<Buffer> {
  const { salt, ...others } = parameters;
  return derive('argon2id', { ...others, nonce: salt, message: password.normalize('NFC') });
}

function writeHash({ memory, passes, parallelism, salt, tag }: Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function readHash(text: string): Hash {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(text) ?? [];
  if (memory === undefined) throw new Error('a stored password hash is not Argon2id in PHC form');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
