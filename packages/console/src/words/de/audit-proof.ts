import type { AuditProofWords } from '../en/audit-proof.ts';

export const auditProof: AuditProofWords = {
  auditProof: {
    title: 'Prüfung',
    running: 'Die Einträge werden mit ihrer Kette und mit den signierten Ständen verglichen …',
    verified: (to) => `Geprüft bis Eintrag ${to}`,
    all: 'alle gespeicherten Einträge',
    newest: (from) => `ab Eintrag ${from}; die älteren beweist der Export`,
    signed: (number, time) => `Stand von Eintrag ${number} signiert ${time}`,
    unsigned: 'noch kein Stand signiert',
    broken: (id) => `Eintrag ${id} und alles danach sind nicht vertrauenswürdig`,
    next: 'Exportieren Sie das Protokoll jetzt und vergleichen Sie es mit den Ständen, die Sie auf einem anderen Rechner aufbewahren.',
    again: 'Noch einmal prüfen',
  },
};
