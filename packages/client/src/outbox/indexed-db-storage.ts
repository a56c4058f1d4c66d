import type { OutboxItem } from './outbox-item.ts';
import type { OutboxStorage } from './outbox-storage.ts';

const storeName = 'acknowledgments';

/** Keeps items in the browser. A change is on disk when its promise is fulfilled. */
export function createIndexedDbStorage(databaseName = 'tocsin-outbox'): OutboxStorage {
  let opening: Promise<IDBDatabase> | undefined;
  const open = () => {
    opening ??= openDatabase(databaseName);
    // A browser that refuses now may allow it later.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  const run = async <Result>(
    mode: IDBTransactionMode,
    task: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> => {
    const transaction = (await open()).transaction(storeName, mode, { durability: 'strict' });
    const request = task(transaction.objectStore(storeName));
    return new Promise((resolve, reject) => {
      const fail = () => reject(transaction.error ?? new Error('the browser stored nothing'));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', fail);
    });
  };
  return {
    list: () => run<OutboxItem[]>('readonly', (store) => store.getAll()),
    put: async (item) => void (await run('readwrite', (store) => store.put(item))),
    remove: (id) => run('readwrite', (store) => store.delete(id)),
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  return new Promise((resolve, reject) => {
    const create = () => void request.result.createObjectStore(storeName, { keyPath: 'id' });
    const fail = () => reject(request.error ?? new Error('the browser opens no database'));
    request.addEventListener('upgradeneeded', create);
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', fail);
  });
}
