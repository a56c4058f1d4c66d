import type { Words } from './en.ts';
import { account } from './es/account.ts';
import { analysis } from './es/analysis.ts';
import { auditProof } from './es/audit-proof.ts';
import { channels } from './es/channels.ts';
import { configure } from './es/configure.ts';
import { configurePages } from './es/configure-pages.ts';
import { desk } from './es/desk.ts';
import { frame } from './es/frame.ts';
import { guidance } from './es/guidance.ts';
import { list } from './es/list.ts';
import { newTag } from './es/new-tag.ts';
import { pages } from './es/pages.ts';
import { phone } from './es/phone.ts';
import { roster } from './es/roster.ts';
import { security } from './es/security.ts';
import { securityForms } from './es/security-forms.ts';
import { setUpPath } from './es/set-up-path.ts';
import { shift } from './es/shift.ts';
import { signInSteps } from './es/sign-in-steps.ts';
import { tags } from './es/tags.ts';

export const es: Words = {
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
