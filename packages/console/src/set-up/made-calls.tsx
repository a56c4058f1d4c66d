import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { curlOf, pathOf } from '../frame/curl.ts';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useWords } from '../words/use-words.ts';
import type { MadeCall } from './made-call.ts';
import { indexOf, stepNames } from './steps.ts';
import type { Path } from './use-path.ts';

const stepIcons: readonly IconName[] = [
  'building-2',
  'users',
  'radio-tower',
  'calendar-days',
  'bell-ring',
  'phone-incoming',
];

/** The requests that the page has made in this step, and what is left. */
export function MadeCalls({ path }: { readonly path: Path }) {
  const words = useWords().setUpPath;
  const left = stepNames.slice(indexOf(path.step) + 1);
  return (
    <aside className="panel" aria-label={words.madeTitle}>
      <div className="scroll">
        <section>
          <h3>{words.madeTitle}</h3>
          {path.made.length === 0 && <p className="muted fs12">{words.madeNone}</p>}
          <div className="apilist">
            {path.made.map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: requests are only added.
              <MadeCallBox key={index} call={call} />
            ))}
          </div>
          <CopyScript made={path.made} />
        </section>
        {left.length > 0 && (
          <section>
            <h3>{words.leftTitle}</h3>
            <ol className="left">
              {left.map((name) => (
                <li key={name}>
                  <Icon name={stepIcons[indexOf(name)] ?? 'circle-dashed'} size={15} />
                  <span>
                    {words.steps[name].name}
                    <small>{words.steps[name].short}</small>
                  </span>
                </li>
              ))}
            </ol>
          </section>
        )}
        <Later />
      </div>
    </aside>
  );
}

function MadeCallBox({ call }: { readonly call: MadeCall }) {
  const words = useWords().setUpPath;
  const { method, body, status, answer, ms } = call;
  return (
    <div className="api" dir="ltr">
      <p>
        <b>{method}</b> {pathOf(call)}
      </p>
      {body !== undefined && <pre>{JSON.stringify(body, null, 1)}</pre>}
      <p className="ans">
        <b>{status}</b>{' '}
        {answer === '' ? words.answeredIn(Math.round(ms)) : `${answer}, ${words.answeredIn(Math.round(ms))}`}
      </p>
    </div>
  );
}

/** The same requests for a command line; secrets are left out. */
function CopyScript({ made }: { readonly made: readonly MadeCall[] }) {
  const words = useWords().setUpPath;
  const { basePath } = useServices();
  const [copied, setCopied] = useState(0);
  // Browsers let pages without TLS copy nothing.
  if (made.length === 0 || !isSecureContext) return null;
  const script = made.map((call) => curlOf(call, `${location.origin}${basePath}`)).join('\n\n');
  const copy = () => void navigator.clipboard.writeText(script).then(() => setCopied(made.length));
  return (
    <Button
      label={copied === made.length ? words.copied : words.copyScript}
      icon="copy"
      kind="sm ghost"
      onClick={copy}
    />
  );
}

function Later() {
  const words = useWords().setUpPath;
  const later: readonly (readonly [IconName, string])[] = [
    ['radio-tower', words.laterChannel],
    ['upload', words.laterTags],
    ['calendar-days', words.laterRoster],
  ];
  return (
    <section>
      <h3>{words.laterTitle}</h3>
      <ol className="left">
        {later.map(([icon, text]) => (
          <li key={icon}>
            <Icon name={icon} size={15} />
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
