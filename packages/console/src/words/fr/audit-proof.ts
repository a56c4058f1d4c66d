import type { AuditProofWords } from '../en/audit-proof.ts';

export const auditProof: AuditProofWords = {
  auditProof: {
    title: 'Vérification',
    running: 'Les entrées sont comparées à leur chaîne et aux têtes signées …',
    verified: (to) => `Vérifié jusqu’à l’entrée ${to}`,
    all: 'toutes les entrées enregistrées',
    newest: (from) => `à partir de l’entrée ${from}\u00a0; l’export prouve les plus anciennes`,
    signed: (number, time) => `tête de l’entrée ${number} signée ${time}`,
    unsigned: 'aucune tête n’est encore signée',
    broken: (id) => `L’entrée ${id} et toutes les suivantes ne sont pas fiables`,
    next: 'Exportez le journal maintenant et comparez-le aux têtes que vous conservez sur une autre machine.',
    again: 'Vérifier de nouveau',
  },
};
