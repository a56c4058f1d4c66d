import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { indexOf, type StepName, stepNames } from './steps.ts';
import type { Installation, Path } from './use-path.ts';

type Props = { readonly path: Path; readonly installation: Installation };

/** The six steps, with what each has made. */
export function PathSteps({ path, installation }: Props) {
  const words = useWords().setUpPath;
  const time = useSiteTime();
  const now = indexOf(path.step);
  const facts = useFacts(installation);
  return (
    <section className="path" aria-label={words.stepsLabel}>
      <h1>{words.title}</h1>
      <p>{words.lead(now, stepNames.length, stepNames.length - now)}</p>
      <div className="pbar" role="img" aria-label={words.stepOf(now + 1, stepNames.length)}>
        {stepNames.map((name, index) => (
          <i key={name} className={index < now ? 'd' : index === now ? 'n' : ''} />
        ))}
      </div>
      <ol className="psteps">
        {stepNames.map((name, index) => {
          const at = path.doneAt[name];
          const state = index < now ? 'done' : index === now ? 'now' : 'todo';
          return (
            <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
              <span className="no">{state === 'done' ? <Icon name="check" size={14} /> : index + 1}</span>
              <span>
                <b>{words.steps[name].name}</b>
                <small>{state === 'done' && facts[name] ? facts[name] : words.steps[name].short}</small>
              </span>
              <time>
                {at === undefined ? (state === 'now' ? words.now : '') : time.clock(at).slice(0, 5)}
              </time>
            </li>
          );
        })}
      </ol>
      <p className="foot">
        <Icon name="undo-2" size={16} />
        <span>{words.nothingFinal}</span>
      </p>
    </section>
  );
}

function useFacts({ station, users, channels, callGroups }: Installation): Partial<Record<StepName, string>> {
  const reachable = users.filter(({ media }) => media.length > 0).map(({ name }) => name);
  return {
    station: station ? `${station.name}, ${station.timeZone}` : '',
    people: reachable.join(', '),
    channel: channels.map(({ name }) => name).join(', '),
    group: callGroups.map(({ name }) => name).join(', '),
  };
}
