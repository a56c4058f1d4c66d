import type { AlarmGuidance, Guidance } from '@tocsin/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { guidanceCall, useGuidance } from '../services/queries.ts';
import { useMay } from '../services/use-may.ts';
import { useWords } from '../words/use-words.ts';
import { FileLinks } from './file-links.tsx';
import { Said } from './said.tsx';

const Editor = lazy(async () => ({ default: (await import('./guidance-editor.tsx')).GuidanceEditor }));

/** What to do, with its version and origin. Those who may write it find the editor here. */
export function GuidanceCard({ alarmId }: { readonly alarmId: number }) {
  const words = useWords();
  const answer = useGuidance(alarmId);
  const [isWriting, setIsWriting] = useState(false);
  const note = answer?.from && words.panel.from(answer.from.name, answer.version ?? 1);
  return (
    <Card title={words.alarm.whatToDo} note={note} kind="guide" call={guidanceCall(alarmId)}>
      <div className="in">
        {answer && <Shown answer={answer} />}
        {answer && <Origin answer={answer} onWrite={() => setIsWriting(true)} />}
        <Said alarmId={alarmId} />
      </div>
      {isWriting && (
        <Suspense>
          <Editor alarmId={alarmId} onClose={() => setIsWriting(false)} />
        </Suspense>
      )}
    </Card>
  );
}

function Shown({ answer: { guidance } }: { readonly answer: AlarmGuidance }) {
  const words = useWords();
  if (!guidance) return <p className="muted">{words.panel.noGuidance}</p>;
  return (
    <>
      <ol className="steps big">
        {guidance.steps.map((step) => (
          <li key={step}>
            <span>{step}</span>
          </li>
        ))}
      </ol>
      <Facts guidance={guidance} />
    </>
  );
}

type OriginProps = { readonly answer: AlarmGuidance; readonly onWrite: () => void };

/** From which level the text is, if not from the tag itself, and the way to change it. */
function Origin({ answer: { guidance, from }, onWrite }: OriginProps) {
  const words = useWords().guidance;
  const canWrite = useMay().has('plant:write');
  const isInherited = from !== undefined && from.object !== 'tag';
  if (!canWrite && !isInherited) return null;
  return (
    <div className="guidefrom">
      <span>{isInherited && words.whole(from.name)}</span>
      {canWrite && (
        <Button label={guidance ? words.change : words.write} icon="pencil" kind="sm" onClick={onWrite} />
      )}
    </div>
  );
}

function Facts({ guidance }: { readonly guidance: Guidance }) {
  const words = useWords();
  const { cause, consequence, contacts, files } = guidance;
  if (cause === '' && consequence === '' && contacts.length + files.length === 0) return null;
  return (
    <dl className="kv rule">
      {cause !== '' && <dt>{words.panel.cause}</dt>}
      {cause !== '' && <dd>{cause}</dd>}
      {consequence !== '' && <dt>{words.panel.consequence}</dt>}
      {consequence !== '' && <dd>{consequence}</dd>}
      {contacts.length > 0 && <dt>{words.panel.contacts}</dt>}
      {contacts.length > 0 && (
        <dd>
          {contacts.map((contact) => (
            <div key={contact}>{contact}</div>
          ))}
        </dd>
      )}
      {files.length > 0 && <dt>{words.alarm.files}</dt>}
      {files.length > 0 && (
        <dd className="filelinks">
          <FileLinks names={files} />
        </dd>
      )}
    </dl>
  );
}
