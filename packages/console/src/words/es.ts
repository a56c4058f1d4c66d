import type { Words } from './en.ts';
import { account } from './es/account.ts';
import { analysis } from './es/analysis.ts';
import { channels } from './es/channels.ts';
import { configure } from './es/configure.ts';
import { configurePages } from './es/configure-pages.ts';
import { desk } from './es/desk.ts';
import { frame } from './es/frame.ts';
import { guidance } from './es/guidance.ts';
import { list } from './es/list.ts';
import { pages } from './es/pages.ts';
import { phone } from './es/phone.ts';
import { roster } from './es/roster.ts';
import { setUpPath } from './es/set-up-path.ts';
import { shift } from './es/shift.ts';
import { tags } from './es/tags.ts';

export const es: Words = {
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
