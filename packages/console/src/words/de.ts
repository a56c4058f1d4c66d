import { account } from './de/account.ts';
import { analysis } from './de/analysis.ts';
import { auditProof } from './de/audit-proof.ts';
import { channels } from './de/channels.ts';
import { configure } from './de/configure.ts';
import { configurePages } from './de/configure-pages.ts';
import { desk } from './de/desk.ts';
import { frame } from './de/frame.ts';
import { guidance } from './de/guidance.ts';
import { list } from './de/list.ts';
import { newTag } from './de/new-tag.ts';
import { pages } from './de/pages.ts';
import { phone } from './de/phone.ts';
import { roster } from './de/roster.ts';
import { security } from './de/security.ts';
import { securityForms } from './de/security-forms.ts';
import { setUpPath } from './de/set-up-path.ts';
import { shift } from './de/shift.ts';
import { signInSteps } from './de/sign-in-steps.ts';
import { tags } from './de/tags.ts';
import type { Words } from './en.ts';

export const de: Words = {
  ...account,
  ...analysis,
  ...auditProof,
  ...channels,
  ...configure,
  ...configurePages,
  ...desk,
  ...frame,
  ...guidance,
  ...list,
  ...newTag,
  ...pages,
  ...phone,
  ...roster,
  ...security,
  ...securityForms,
  ...setUpPath,
  ...shift,
  ...signInSteps,
  ...tags,
};
