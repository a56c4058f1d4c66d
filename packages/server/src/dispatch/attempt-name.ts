/** How providers know our attempts: never used by another installation, and readable back. */
export type AttemptNames = {
  nameOf(tenantId: number, attemptId: number): string;
  /** Undefined when it is none of ours. */
  parse(name: string): { tenantId: number; attemptId: number } | undefined;
};

export function createAttemptNames(installation: string): AttemptNames {
  return {
    nameOf: (tenantId, attemptId) => `${installation}-${tenantId}-${attemptId}`,
    parse: (name) => {
      const [, whose, tenantId, attemptId] = /^([0-9a-z]+)-(\d{1,15})-(\d{1,15})$/.exec(name) ?? [];
      if (whose !== installation) return undefined;
      return { tenantId: Number(tenantId), attemptId: Number(attemptId) };
    },
  };
}
