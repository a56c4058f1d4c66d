import type { NewTagWords } from '../en/new-tag.ts';

export const newTag: NewTagWords = {
  newTag: {
    open: 'Nueva variable',
    title: 'Nueva variable',
    lead: 'La variable existe antes de su primera alarma. No activa ninguna alarma y no llama a nadie.',
    dataServer: 'Servidor de datos',
    path: 'Ruta',
    pathHint: 'Como la llama el sistema de control, por ejemplo Chlor.CL201.LL.',
    message: 'Mensaje',
    go: 'Crear la variable',
    exists: (path) => `${path} ya existe. Selecciónela en la lista para cambiarla.`,
    made: (path) => `${path} está creada.`,
  },
};
