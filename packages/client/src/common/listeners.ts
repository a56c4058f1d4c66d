export type Unsubscribe = () => void;

/** The listeners of one event. A listener that is removed while others are called is not called any more. */
export type Listeners<Event> = {
  add(listener: (event: Event) => void): Unsubscribe;
  tell(event: Event): void;
};

export function createListeners<Event = void>(): Listeners<Event> {
  const listeners = new Set<{ listener: (event: Event) => void }>();
  return {
    add(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    tell(event) {
      for (const { listener } of listeners) listener(event);
    },
  };
}
