/** Names of attempts for providers. They are unique among installations and can be parsed again. */
export type AttemptNames = {
  nameOf(tenantId: number, attemptId: number): string;
  /** Undefined when the name is of another installation. */
  parse(name: string): { tenantId: number; attemptId: number } | undefined;
};

export function createAttemptNames(installation: string): AttemptNames {
  return {
    nameOf: (tenantId, attemptId) => `${installation}-${tenantId}-${attemptId}`,
    parse: (name) => {
      const [, owner, tenantId, attemptId] = /^([0-9a-z]+)-(\d{1,15})-(\d{1,15})$/.exec(name) ?? [];
      if (owner !== installation) return undefined;
      return { tenantId: Number(tenantId), attemptId: Number(attemptId) };
    },
  };
}
