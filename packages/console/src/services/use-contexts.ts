import type { Alarm, AlarmContext } from '@tocsin/contract';
import { useEffect, useRef, useState } from 'react';
import { useServices } from './services.ts';
import { useLive } from './use-live.ts';

const most = 500;
const lookAgainMs = 10_000;
const inAlarm = 3;

const isOverAndMasked = ({ state, masked }: Alarm) => masked && (state & inAlarm) === 0;

/** What a context depends on: a mask that begins or ends, and an alarm that is over while it is masked. */
const versionOf = (alarm: Alarm) => `${alarm.masked} ${isOverAndMasked(alarm)}`;

/** Whether nobody may have been found for it yet: it is new, and not masked. */
const mayCallNobody = ({ state, masked }: Alarm) => (state & inAlarm) === inAlarm && !masked;

export type Contexts = {
  readonly byId: ReadonlyMap<number, AlarmContext>;
  /** Temporary tags that are over while they are masked. The server has forgotten them, and no change tells so. */
  readonly gone: ReadonlySet<number>;
};

/** Without what belongs to alarms that are over: a desk is open for weeks. */
function forgetAbsent(contexts: Contexts, isPresent: (id: number) => boolean): Contexts {
  const { byId, gone } = contexts;
  if ([...byId.keys(), ...gone].every(isPresent)) return contexts;
  return {
    byId: new Map([...byId].filter(([id]) => isPresent(id))),
    gone: new Set([...gone].filter(isPresent)),
  };
}

function withAnswer(before: Contexts, asked: readonly Alarm[], items: readonly AlarmContext[]): Contexts {
  const { byId, gone } = before;
  const answered = new Set(items.map(({ id }) => id));
  const isForgotten = (alarm: Alarm) => isOverAndMasked(alarm) && !answered.has(alarm.id);
  const isSame =
    asked.every((alarm) => gone.has(alarm.id) === isForgotten(alarm)) &&
    items.every((item) => JSON.stringify(byId.get(item.id)) === JSON.stringify(item));
  if (isSame) return before;
  const stays = new Set(asked.filter((alarm) => !isForgotten(alarm)).map(({ id }) => id));
  const forgotten = asked.filter(isForgotten).map(({ id }) => id);
  return {
    byId: new Map([...byId, ...items.map((item) => [item.id, item] as const)]),
    gone: new Set([...gone, ...forgotten].filter((id) => !stays.has(id))),
  };
}

/**
 * Station, area, mask and time to respond of each alarm. They are read for alarms that appear, and again when a mask begins
 * or ends. Those of new alarms are looked at again and again, because nobody on duty is found out after the raise.
 */
export function useContexts(): Contexts {
  const { api, feed } = useServices();
  const { alarms, connection } = useLive();
  const [contexts, setContexts] = useState<Contexts>({ byId: new Map(), gone: new Set() });
  const known = useRef(new Map<number, string>());
  const isReading = useRef(false);
  const [round, setRound] = useState(0);

  const latest = useRef(alarms);
  latest.current = alarms;
  useEffect(() => {
    const timer = setInterval(() => {
      const again = [...latest.current.values()].filter(mayCallNobody).slice(0, most);
      for (const { id } of again) known.current.delete(id);
      setRound((before) => before + 1);
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round looks for what is not known.
  useEffect(() => {
    if (isReading.current || connection === 'lost') return;
    const asked = [...alarms.values()]
      .filter((alarm) => known.current.get(alarm.id) !== versionOf(alarm))
      .slice(0, most);
    if (asked.length === 0) return;
    isReading.current = true;
    const read = async () => {
      const query = { ids: asked.map(({ id }) => id).join(','), limit: most };
      const { data } = await api.get<{ items: AlarmContext[] }>('/alarms/contexts', query);
      for (const alarm of asked) known.current.set(alarm.id, versionOf(alarm));
      const isPresent = (id: number) => feed.getSnapshot().alarms.has(id);
      known.current = new Map([...known.current].filter(([id]) => isPresent(id)));
      setContexts((before) => forgetAbsent(withAnswer(before, asked, data.items), isPresent));
    };
    read()
      .catch(() => new Promise((resolve) => setTimeout(resolve, 2_000)))
      .finally(() => {
        isReading.current = false;
        setRound((before) => before + 1);
      });
  }, [alarms, api, feed, connection, round]);

  return contexts;
}
