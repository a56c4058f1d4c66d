import { account } from './de/account.ts';
import { desk } from './de/desk.ts';
import { frame } from './de/frame.ts';
import { guidance } from './de/guidance.ts';
import { list } from './de/list.ts';
import { pages } from './de/pages.ts';
import { phone } from './de/phone.ts';
import { shift } from './de/shift.ts';
import type { Words } from './en.ts';

export const de: Words = {
  ...desk,
  ...frame,
  ...list,
  ...pages,
  ...shift,
  ...guidance,
  ...phone,
  ...account,
};
