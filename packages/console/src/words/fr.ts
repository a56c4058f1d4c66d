import type { Words } from './en.ts';
import { account } from './fr/account.ts';
import { analysis } from './fr/analysis.ts';
import { channels } from './fr/channels.ts';
import { configure } from './fr/configure.ts';
import { configurePages } from './fr/configure-pages.ts';
import { desk } from './fr/desk.ts';
import { frame } from './fr/frame.ts';
import { guidance } from './fr/guidance.ts';
import { list } from './fr/list.ts';
import { pages } from './fr/pages.ts';
import { phone } from './fr/phone.ts';
import { roster } from './fr/roster.ts';
import { setUpPath } from './fr/set-up-path.ts';
import { shift } from './fr/shift.ts';
import { tags } from './fr/tags.ts';

export const fr: Words = {
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
