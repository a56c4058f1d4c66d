import { account } from './de/account.ts';
import { analysis } from './de/analysis.ts';
import { channels } from './de/channels.ts';
import { configure } from './de/configure.ts';
import { configurePages } from './de/configure-pages.ts';
import { desk } from './de/desk.ts';
import { frame } from './de/frame.ts';
import { guidance } from './de/guidance.ts';
import { list } from './de/list.ts';
import { pages } from './de/pages.ts';
import { phone } from './de/phone.ts';
import { roster } from './de/roster.ts';
import { setUpPath } from './de/set-up-path.ts';
import { shift } from './de/shift.ts';
import { tags } from './de/tags.ts';
import type { Words } from './en.ts';

export const de: Words = {
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
