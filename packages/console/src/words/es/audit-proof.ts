import type { AuditProofWords } from '../en/audit-proof.ts';

export const auditProof: AuditProofWords = {
  auditProof: {
    title: 'Verificación',
    running: 'Las entradas se comparan con su cadena y con las cabezas firmadas …',
    verified: (to) => `Verificado hasta la entrada ${to}`,
    all: 'todas las entradas guardadas',
    newest: (from) => `desde la entrada ${from}; la exportación prueba las anteriores`,
    signed: (number, time) => `cabeza de la entrada ${number} firmada ${time}`,
    unsigned: 'todavía no hay cabeza firmada',
    broken: (id) => `La entrada ${id} y todo lo posterior no son fiables`,
    next: 'Exporte el registro ahora y compárelo con las cabezas que guarda en otra máquina.',
    again: 'Verificar otra vez',
  },
};
