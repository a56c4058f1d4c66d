import type { Words } from './en.ts';
import { account } from './fr/account.ts';
import { desk } from './fr/desk.ts';
import { frame } from './fr/frame.ts';
import { guidance } from './fr/guidance.ts';
import { list } from './fr/list.ts';
import { pages } from './fr/pages.ts';
import { phone } from './fr/phone.ts';
import { shift } from './fr/shift.ts';

export const fr: Words = {
  ...desk,
  ...frame,
  ...list,
  ...pages,
  ...shift,
  ...guidance,
  ...phone,
  ...account,
};
