/**
 * Puts single questions together: one is under way at a time, and those who ask meanwhile share the next one. So an
 * answer is never older than its question, and a thousand clients that come at once ask the database a few times.
 */
export function askTogether<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  most: number,
): (item: Item) => Promise<Answer> {
  let waiting: { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  let isAsking = false;

  const run = async () => {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const answers = await ask(asked.map(({ item }) => item));
        asked.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    isAsking = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isAsking) void run();
    });
}
