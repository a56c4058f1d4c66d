import { createSecretBox, type SecretBox } from '../common/secret-box.ts';

/** The secrets key of every plant of the tests, as its file would have it. */
export const testKey = Buffer.alloc(32, 4).toString('base64');
export const testBox = createSecretBox([Buffer.from(testKey, 'base64')]) as SecretBox;
