/** Puts an entry behind all others. If there are more than `largest` then, the first goes. */
export function keepNewest<Key, Value>(
  entries: Map<Key, Value>,
  [key, value]: [Key, Value],
  largest: number,
): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > largest && oldest !== undefined) entries.delete(oldest);
}
