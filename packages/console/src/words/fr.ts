import type { Words } from './en.ts';
import { account } from './fr/account.ts';
import { analysis } from './fr/analysis.ts';
import { auditProof } from './fr/audit-proof.ts';
import { channels } from './fr/channels.ts';
import { configure } from './fr/configure.ts';
import { configurePages } from './fr/configure-pages.ts';
import { desk } from './fr/desk.ts';
import { frame } from './fr/frame.ts';
import { guidance } from './fr/guidance.ts';
import { list } from './fr/list.ts';
import { newTag } from './fr/new-tag.ts';
import { pages } from './fr/pages.ts';
import { phone } from './fr/phone.ts';
import { roster } from './fr/roster.ts';
import { security } from './fr/security.ts';
import { securityForms } from './fr/security-forms.ts';
import { setUpPath } from './fr/set-up-path.ts';
import { shift } from './fr/shift.ts';
import { signInSteps } from './fr/sign-in-steps.ts';
import { tags } from './fr/tags.ts';

export const fr: Words = {
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
