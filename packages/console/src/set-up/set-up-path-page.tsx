import { useMay } from '../services/use-may.ts';
import { useWords } from '../words/use-words.ts';
import { AlarmStep } from './alarm-step.tsx';
import { AnswerStep } from './answer-step.tsx';
import { ChannelStep } from './channel-step.tsx';
import { GroupStep } from './group-step.tsx';
import { MadeCalls } from './made-calls.tsx';
import { PathSteps } from './path-steps.tsx';
import { PeopleStep } from './people-step.tsx';
import { StationStep } from './station-step.tsx';
import { type Installation, useInstallation, usePath } from './use-path.ts';

const needed = ['plant:write', 'people:write', 'channels:write', 'callgroups:write', 'alarms:raise'];

/** From an empty installation to a telephone that has rung. */
export function SetUpPathPage() {
  const may = useMay();
  const words = useWords().setUpPath;
  const installation = useInstallation();
  if (may.size > 0 && !needed.every((permission) => may.has(permission)))
    return (
      <main className="setup refused">
        <section className="path">
          <h1>{words.title}</h1>
          <p>{words.refused}</p>
        </section>
      </main>
    );
  return installation ? <Steps installation={installation} /> : <main className="setup" />;
}

function Steps({ installation }: { readonly installation: Installation }) {
  const path = usePath(installation);
  return (
    <main className="setup">
      <PathSteps path={path} installation={installation} />
      {path.step === 'station' && <StationStep path={path} installation={installation} />}
      {path.step === 'people' && <PeopleStep path={path} installation={installation} />}
      {path.step === 'channel' && <ChannelStep path={path} installation={installation} />}
      {path.step === 'group' && <GroupStep path={path} installation={installation} />}
      {path.step === 'alarm' && <AlarmStep path={path} installation={installation} />}
      {path.step === 'answer' && <AnswerStep path={path} />}
      <MadeCalls path={path} />
    </main>
  );
}
