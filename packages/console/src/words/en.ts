import { account } from './en/account.ts';
import { analysis } from './en/analysis.ts';
import { channels } from './en/channels.ts';
import { configure } from './en/configure.ts';
import { configurePages } from './en/configure-pages.ts';
import { desk } from './en/desk.ts';
import { frame } from './en/frame.ts';
import { guidance } from './en/guidance.ts';
import { list } from './en/list.ts';
import { pages } from './en/pages.ts';
import { phone } from './en/phone.ts';
import { roster } from './en/roster.ts';
import { setUpPath } from './en/set-up-path.ts';
import { shift } from './en/shift.ts';
import { tags } from './en/tags.ts';

/** Every sentence of the console. The other languages have the same members, which the compiler checks. */
export const en = {
  ...account,
  ...analysis,
  ...channels,
  ...configure,
  ...configurePages,
  ...desk,
  ...frame,
  ...guidance,
  ...list,
  ...pages,
  ...phone,
  ...roster,
  ...setUpPath,
  ...shift,
  ...tags,
};

export type Words = typeof en;
