import { account } from './en/account.ts';
import { desk } from './en/desk.ts';
import { frame } from './en/frame.ts';
import { guidance } from './en/guidance.ts';
import { list } from './en/list.ts';
import { pages } from './en/pages.ts';
import { phone } from './en/phone.ts';
import { shift } from './en/shift.ts';

/** Every sentence of the console. The other languages have the same members, which the compiler checks. */
export const en = { ...desk, ...frame, ...list, ...pages, ...shift, ...guidance, ...phone, ...account };

export type Words = typeof en;
