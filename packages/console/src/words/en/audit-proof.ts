export const auditProof = {
  auditProof: {
    title: 'Verification',
    running: 'The entries are being compared with their chain and with the signed heads …',
    verified: (to: string) => `Verified to entry ${to}`,
    all: 'all entries that are stored',
    newest: (from: string) => `from entry ${from} on; the export proves the older ones`,
    signed: (number: string, time: string) => `head of entry ${number} signed ${time}`,
    unsigned: 'no head is signed yet',
    broken: (id: string) => `Entry ${id} cannot be trusted, nor what comes after it`,
    next: 'Export the trail now, and compare it with the heads that you keep on another machine.',
    again: 'Verify again',
  },
};
export type AuditProofWords = typeof auditProof;
