import { type Query, useQueryClient } from '@tanstack/react-query';
import { ProblemError } from '@tocsin/client';
import { useEffect, useSyncExternalStore } from 'react';
import { useIsOnline } from '../services/use-live.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { Button } from './button.tsx';

const tryAgainMs = 10_000;

/**
 * Whether a part of the page is empty because of a failure that may pass, also while it is read again. What a role may not
 * read is no failure.
 */
function isFailed(query: Query): boolean {
  const { status, data, error, errorUpdateCount } = query.state;
  if (errorUpdateCount === 0 || data !== undefined || query.getObserversCount() === 0) return false;
  const code = error instanceof ProblemError ? error.status : 0;
  return status === 'pending' || code === 0 || code === 429 || code >= 500;
}

/** Says that parts of the page could not be read, and reads them again. A blank page would look as if there were nothing. */
export function FailedReads() {
  const words = useWords().failures;
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const isOnline = useIsOnline();
  const count = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => cache.getAll().filter(isFailed).length,
  );
  const isShown = count > 0;
  // Each failed part is read again at once when the connection is back, and now and then while it lasts.
  useEffect(() => {
    const readAgain = () => void queries.refetchQueries({ predicate: isFailed });
    if (!isShown || !isOnline) return;
    readAgain();
    const timer = setInterval(readAgain, tryAgainMs);
    return () => clearInterval(timer);
  }, [isShown, isOnline, queries]);
  if (!isShown) return null;
  return (
    <div className="failed-reads" role="alert">
      <Icon name="triangle-alert" size={18} />
      <span>{words.notRead}</span>
      <Button
        label={words.tryNow}
        icon="rotate-cw"
        kind="sm"
        onClick={() => void queries.refetchQueries({ predicate: isFailed })}
      />
    </div>
  );
}
