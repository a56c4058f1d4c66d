import { useNavigate } from '@tanstack/react-router';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { Button } from '../frame/button.tsx';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { isFlooding } from './flood-rule.ts';

/** Opens the flood view; it stands out while alarms come faster than anybody can read them. */
export function FloodButton() {
  const words = useWords().flood;
  const navigate = useNavigate();
  const now = useNow();
  const times = useAlarms()
    .rows.filter(({ state }) => state !== 'mask')
    .map(({ raisedAt }) => raisedAt);
  const kind = isFlooding(times, now) ? 'sm primary' : 'sm';
  return <Button label={words.open} hint="F" kind={kind} onClick={() => void navigate({ to: '/flood' })} />;
}
