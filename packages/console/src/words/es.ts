import type { Words } from './en.ts';
import { account } from './es/account.ts';
import { desk } from './es/desk.ts';
import { frame } from './es/frame.ts';
import { guidance } from './es/guidance.ts';
import { list } from './es/list.ts';
import { pages } from './es/pages.ts';
import { phone } from './es/phone.ts';
import { shift } from './es/shift.ts';

export const es: Words = {
  ...desk,
  ...frame,
  ...list,
  ...pages,
  ...shift,
  ...guidance,
  ...phone,
  ...account,
};
