import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';

/** Saves the whole trail with its signed head, which proves that nothing is missing or changed. */
export function ExportButton() {
  const words = useWords().configureAudit;
  const { session, basePath } = useServices();
  const [hasFailed, setHasFailed] = useState(false);
  const save = async () => {
    const authorization = `Bearer ${await session.accessToken()}`;
    const answer = await fetch(`${basePath}/api/v1/audit/export`, { headers: { authorization } });
    if (!answer.ok) throw new Error(`The export was answered with ${answer.status}`);
    const url = URL.createObjectURL(await answer.blob());
    const link = Object.assign(document.createElement('a'), { href: url, download: 'audit-trail.ndjson' });
    link.click();
    URL.revokeObjectURL(url);
  };
  const run = () => {
    setHasFailed(false);
    void save().catch(() => setHasFailed(true));
  };
  return (
    <>
      {hasFailed && (
        <small className="wrong" role="alert">
          {words.exportFailed}
        </small>
      )}
      <Button label={words.export} icon="download" kind="sm" onClick={run} />
    </>
  );
}
