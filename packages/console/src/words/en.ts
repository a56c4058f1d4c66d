import { account } from './en/account.ts';
import { analysis } from './en/analysis.ts';
import { auditProof } from './en/audit-proof.ts';
import { channels } from './en/channels.ts';
import { configure } from './en/configure.ts';
import { configurePages } from './en/configure-pages.ts';
import { desk } from './en/desk.ts';
import { frame } from './en/frame.ts';
import { guidance } from './en/guidance.ts';
import { list } from './en/list.ts';
import { newTag } from './en/new-tag.ts';
import { pages } from './en/pages.ts';
import { phone } from './en/phone.ts';
import { roster } from './en/roster.ts';
import { security } from './en/security.ts';
import { securityForms } from './en/security-forms.ts';
import { setUpPath } from './en/set-up-path.ts';
import { shift } from './en/shift.ts';
import { signInSteps } from './en/sign-in-steps.ts';
import { tags } from './en/tags.ts';

/** Every sentence of the console. The other languages have the same members, which the compiler checks. */
export const en = {
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

export type Words = typeof en;
