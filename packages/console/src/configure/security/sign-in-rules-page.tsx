import { roles, type SecuritySettingsBody, twoPersonActions } from '@tocsin/contract';
import { useWords } from '../../words/use-words.ts';
import type { FieldsOf } from '../core/fields.ts';
import { SinglePage } from './single-page.tsx';
import { useSingle } from './use-single.ts';

const path = '/security-settings';

const fields: FieldsOf<SecuritySettingsBody> = {
  // Machines use keys, which have no second factor.
  secondFactorRoles: { kind: 'choices', choices: roles.filter((role) => role !== 'machine') },
  confirmDangerous: { kind: 'toggle', initial: false },
  confirmationMinutes: { kind: 'number', min: 1, max: 60 },
  twoPersonActions: { kind: 'choices', choices: twoPersonActions },
  deskMinutes: { kind: 'number', min: 1, max: 720 },
};

/** The rules of the tenant for signing in and for dangerous actions. */
export function SignInRulesPage() {
  const words = useWords().securityForms;
  const single = useSingle(path, fields);
  return (
    <SinglePage
      title={words.rules}
      lead={words.rulesLead}
      path={path}
      help="sign-in"
      fields={fields}
      single={single}
    />
  );
}
