import { Link } from '@tanstack/react-router';
import { Button } from '../frame/button.tsx';
import { useServices } from '../services/services.ts';
import { useDemands } from '../services/use-demands.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

/** Says that what the user has just done waits for a second person. It stays until it is read. */
export function WaitsBar() {
  const { demands } = useServices();
  const { approval } = useDemands();
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  if (!approval) return null;
  const dismiss = () => demands.onApproval(undefined);
  const until = time.when(Date.parse(`${approval.expiryTime}Z`), now);
  return (
    <div className="waitsbar" role="status">
      <Icon name="users" size={16} />
      <span>
        <b>{words.approvals.waits}</b> <span>{words.approvals.waitsFor(approval.summary, until)}</span>
      </span>
      <span className="fill" />
      <Link className="btn sm" to="/approvals" onClick={dismiss}>
        {words.approvals.open}
      </Link>
      <Button label={words.actions.dismiss} kind="sm ghost" onClick={dismiss} />
    </div>
  );
}
