import type { DeskWords } from '../en/desk.ts';
import { isOne } from './count.ts';

const alarms = (count: number) => `${count} ${isOne(count) ? 'alarme' : 'alarmes'}`;

export const desk: DeskWords = {
  bandSince: (time) => `depuis ${time}`,
  announce: {
    one: (priority, message, area) =>
      `Nouvelle alarme, ${priority} : ${message}${area === '' ? '' : `, ${area}`}.`,
    many: (count, counts, message) => `${count} nouvelles alarmes : ${counts}. La plus urgente : ${message}.`,
  },
  calling: { unreachable: 'personne n’a été appelé, car aucun canal ne dessert leurs adresses' },
  frozen: {
    title: 'Liste figée.',
    waiting: (count) => {
      if (count === 0) return 'Les lignes restent en place ; aucune nouvelle alarme n’attend.';
      return count === 1
        ? 'Les lignes restent en place ; 1 nouvelle alarme attend.'
        : `Les lignes restent en place ; ${count} nouvelles alarmes attendent.`;
    },
  },
  horn: {
    onlyPriority: (priority) => `P${priority} seulement, ce poste`,
    silencedBy: (user, desk) => `${user} a coupé le son de ${desk}`,
    untilNew: 'jusqu’à une nouvelle alarme',
  },
  keyHelp: {
    single: 'Les touches de la liste agissent tant que la liste a le focus.',
    alt: 'Les touches simples sont désactivées : maintenez Alt pour les lettres et les signes. Les touches de la liste agissent tant qu’elle a le focus.',
    settings: 'Les touches simples se désactivent dans les réglages.',
    does: {
      move: 'se déplacer dans la liste',
      select: 'sélectionner la ligne',
      extend: 'sélectionner et avancer',
      open: 'ouvrir l’alarme',
      acknowledge: 'acquitter',
      acknowledgeVisible: 'acquitter tout ce qui est à l’écran…',
      silence: 'couper le son de ce poste',
      mask: 'masquer…',
      unmask: 'démasquer',
      reset: 'réarmer…',
      comment: 'commenter',
      call: 'appeler quelqu’un…',
      search: 'rechercher',
      release: 'laisser entrer les nouvelles alarmes',
      freeze: 'figer la liste, reprendre',
      flood: 'vue d’avalanche',
      back: 'retour ; fin de la sélection',
      alarms: 'vers les alarmes, l’une après l’autre',
      areas: 'vers les zones',
      roster: 'vers le planning',
      shift: 'vers la feuille de relève',
      history: 'vers l’historique',
      kpis: 'vers les indicateurs',
      tags: 'vers les variables',
      help: 'toutes les touches',
    },
  },
  moreSettings: {
    singleKeys: 'Touches simples',
    singleKeysHint: 'A acquitte, M coupe le son',
    singleKeysOn: 'Actives',
    singleKeysOff: 'Avec Alt seulement',
    sound: 'Alarmes que vous entendez',
    soundOff: 'Aucune',
    volume: 'Volume sonore',
    volumes: { 40: 'Faible', 80: 'Normale', 100: 'Forte' },
    desk: 'Nom de ce poste',
    deskHint: 'pour la trace des sons coupés',
  },
  narrow: { filters: 'Filtres', filtersOn: 'Filtres actifs' },
  resetting: {
    title: (message) => `Réarmer « ${message} » ?`,
    titleMany: (count) => `Réarmer ${alarms(count)} ?`,
    lead: 'Vous déclarez que le défaut a disparu. Ses appels cessent ; la trace porte votre nom.',
    back: 'Si la source signale encore le défaut, l’alarme revient.',
    go: (count) => `Réarmer ${alarms(count)}`,
  },
  visible: {
    open: 'Acquitter l’écran…',
    title: (count) => `Acquitter ${alarms(count)} à l’écran ?`,
    lead: 'Seulement les alarmes non acquittées que vous voyez maintenant dans la liste ; celles plus bas restent telles quelles.',
    go: (count) => `Acquitter ${alarms(count)}`,
  },
  failures: {
    notRead:
      'Une partie de cette page n’a pas pu être lue sur le serveur. Les alarmes et les appels ne sont pas touchés.',
    tryNow: 'Réessayer',
    noServer: 'Le serveur ne répond pas',
    noServerLead:
      'Cette page réessaie toutes les quelques secondes. Vérifiez le réseau de ce poste ; les appels continuent sans lui.',
  },
  desk: {
    heldNone: 'Les nouvelles alarmes attendent ici pendant que vous lisez.',
    otherUser:
      'Une autre personne s’est connectée dans ce navigateur. Connectez-vous à nouveau pour continuer sous votre nom.',
  },
};
