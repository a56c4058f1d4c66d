import type { AuditOrigin } from '../../audit/audit-entry.ts';
import type { Account, Login } from './account.store.ts';
import type { LoginSubjects } from './login-delay.ts';

/** Passwords that this server does not keep, such as those of a directory. */
export type PasswordsElsewhere = {
  /** Undefined if the user has a password here, or if nobody else knows the name. */
  find(username: string, login: Login | undefined): Promise<PasswordElsewhere | undefined>;
  /** Checks at a refresh whether the user may still log in, and ends their sessions if not. */
  checkAgain(refreshToken: string, origin: AuditOrigin): Promise<void>;
};

/** The password of one user, and the tenant of the user. */
export type PasswordElsewhere = {
  readonly tenantId: number;
  /** The user if the password is right. Throws `unavailable` if nobody can tell. */
  check(attempt: {
    password: string;
    subjects: LoginSubjects;
    origin: AuditOrigin;
  }): Promise<Account | undefined>;
};
