import type { NewTagWords } from '../en/new-tag.ts';

export const newTag: NewTagWords = {
  newTag: {
    open: 'Nouvelle variable',
    title: 'Nouvelle variable',
    lead: 'La variable existe avant sa première alarme. Elle ne déclenche pas d’alarme et n’appelle personne.',
    dataServer: 'Serveur de données',
    path: 'Chemin',
    pathHint: 'Comme le système de contrôle la nomme, par exemple Chlor.CL201.LL.',
    message: 'Message',
    go: 'Créer la variable',
    exists: (path) => `${path} existe déjà. Sélectionnez-la dans la liste pour la modifier.`,
    made: (path) => `${path} est créée.`,
  },
};
