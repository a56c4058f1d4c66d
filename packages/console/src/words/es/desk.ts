import type { DeskWords } from '../en/desk.ts';

const alarms = (count: number) => (count === 1 ? '1 alarma' : `${count} alarmas`);

export const desk: DeskWords = {
  bandSince: (time) => `desde ${time}`,
  announce: {
    one: (priority, message, area) =>
      `Alarma nueva, ${priority}: ${message}${area === '' ? '' : `, ${area}`}.`,
    many: (count, counts, message) => `${count} alarmas nuevas: ${counts}. La más urgente: ${message}.`,
  },
  calling: { unreachable: 'no se llamó a nadie, porque ningún canal atiende sus direcciones' },
  frozen: {
    title: 'Lista congelada.',
    waiting: (count) => {
      if (count === 0) return 'Las filas no se mueven; no espera ninguna alarma nueva.';
      return count === 1
        ? 'Las filas no se mueven; espera 1 alarma nueva.'
        : `Las filas no se mueven; esperan ${count} alarmas nuevas.`;
    },
  },
  horn: {
    onlyPriority: (priority) => `solo P${priority}, este puesto`,
    silencedBy: (user, desk) => `${user} ha silenciado ${desk}`,
    untilNew: 'hasta que llegue una alarma nueva',
  },
  keyHelp: {
    single: 'Las teclas de la lista actúan mientras la lista tiene el foco.',
    alt: 'Las teclas sueltas están desactivadas: mantenga Alt para letras y signos. Las teclas de la lista actúan mientras tiene el foco.',
    settings: 'Las teclas sueltas se pueden desactivar en los ajustes.',
    does: {
      move: 'moverse por la lista',
      select: 'seleccionar la fila',
      extend: 'seleccionar y avanzar',
      open: 'abrir la alarma',
      acknowledge: 'reconocer',
      acknowledgeVisible: 'reconocer todo lo que está en pantalla…',
      silence: 'silenciar este puesto',
      mask: 'enmascarar…',
      unmask: 'quitar la máscara',
      reset: 'restablecer…',
      comment: 'comentar',
      call: 'llamar a alguien…',
      search: 'buscar',
      release: 'dejar entrar las alarmas nuevas',
      freeze: 'congelar la lista, seguir',
      flood: 'vista de avalancha',
      back: 'atrás; quitar la selección',
      alarms: 'a las alarmas, una tecla tras otra',
      areas: 'a las zonas',
      roster: 'a los turnos',
      shift: 'a la hoja de turno',
      history: 'al historial',
      kpis: 'a los indicadores',
      tags: 'a las variables',
      help: 'todas las teclas',
    },
  },
  moreSettings: {
    singleKeys: 'Teclas sueltas',
    singleKeysHint: 'A reconoce, M silencia',
    singleKeysOn: 'Activadas',
    singleKeysOff: 'Solo con Alt',
    sound: 'Alarmas que usted oye',
    soundOff: 'Ninguna',
    volume: 'Volumen',
    volumes: { 40: 'Bajo', 80: 'Medio', 100: 'Alto' },
    desk: 'Nombre de este puesto',
    deskHint: 'para el registro de bocinas silenciadas',
  },
  narrow: { filters: 'Filtros', filtersOn: 'Filtros activos' },
  resetting: {
    title: (message) => `¿Restablecer «${message}»?`,
    titleMany: (count) => `¿Restablecer ${alarms(count)}?`,
    lead: 'Usted declara que el fallo ha desaparecido. Sus llamadas terminan; el registro muestra su nombre.',
    back: 'Si la fuente sigue comunicando el fallo, la alarma vuelve.',
    go: (count) => `Restablecer ${alarms(count)}`,
  },
  visible: {
    open: 'Reconocer visibles…',
    title: (count) => `¿Reconocer ${alarms(count)} en pantalla?`,
    lead: 'Solo las alarmas sin reconocer que ve ahora en la lista; las de más abajo quedan como están.',
    go: (count) => `Reconocer ${alarms(count)}`,
  },
  failures: {
    notRead:
      'No se pudo leer del servidor una parte de esta página. Las alarmas y las llamadas no se ven afectadas.',
    tryNow: 'Reintentar',
    noServer: 'El servidor no responde',
    noServerLead:
      'Esta página lo intenta de nuevo cada pocos segundos. Compruebe la red de este puesto; las llamadas continúan sin él.',
  },
  desk: {
    heldNone: 'Las alarmas nuevas esperan aquí mientras usted lee.',
    otherUser:
      'Otra persona ha iniciado sesión en este navegador. Inicie sesión de nuevo para seguir con su nombre.',
  },
};
