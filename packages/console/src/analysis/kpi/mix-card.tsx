import {
  type AlarmKpis,
  type ConsolePriority,
  consolePriorities,
  consolePriority,
  type KpiPriority,
} from '@tocsin/contract';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNumbers } from '../numbers.ts';
import { targets } from './targets.ts';

type Share = { readonly alarms: number; readonly share: number };

/** The alarms by the priorities that the console tells apart. */
function sharesOf(priorities: readonly KpiPriority[]): Readonly<Record<ConsolePriority, Share>> {
  const of = (wanted: ConsolePriority): Share => {
    const own = priorities.filter(({ priority }) => consolePriority(priority) === wanted);
    return {
      alarms: own.reduce((sum, { alarms }) => sum + alarms, 0),
      share: own.reduce((sum, { share }) => sum + share, 0),
    };
  };
  return { 1: of(1), 2: of(2), 3: of(3), 4: of(4) };
}

/** The alarms by priority, against 80 % low, 15 % medium, 5 % high. */
export function MixCard({ kpis: { priorities, alarms } }: { readonly kpis: AlarmKpis }) {
  const words = useWords().kpi;
  const labels = useWords().analysis;
  const shares = sharesOf(priorities);
  return (
    <section className="card k-mix" aria-label={words.mix}>
      <header>
        <h2>{words.mix}</h2>
        <span className="fill" />
        <small>{words.mixNote(alarms)}</small>
      </header>
      <div className="in">
        <table className="mix">
          <thead>
            <tr className="mixh">
              <th scope="col">{labels.priority}</th>
              <th scope="col">{words.mixShare}</th>
              <th scope="col" className="n">
                {labels.alarms}
              </th>
              <th scope="col" className="n">
                {words.target}
              </th>
            </tr>
          </thead>
          <tbody>
            {consolePriorities.map((priority) => (
              <MixRow key={priority} priority={priority} {...shares[priority]} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type RowProps = Share & { readonly priority: ConsolePriority };

function MixRow({ priority, alarms, share }: RowProps) {
  const names = useWords().priorities;
  const numbers = useNumbers();
  const target = targets.priorities[priority] ?? 0;
  return (
    <tr className="mixr">
      <th scope="row">
        <AlarmSymbol priority={priority} state="ack" size={18} named={false} />
        <span>{names[priority]}</span>
      </th>
      <td>
        <svg className="mixbar" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true">
          <rect className="frame" x="0" y="5" width="100" height="16" />
          <rect className="b" x="0" y="5" width={share * 100} height="16" />
          <rect className="mark" x={target * 100 - 0.8} y="0" width="1.6" height="26" />
        </svg>
      </td>
      <td className="n">
        <b>{numbers.percent(share)}</b> <small>{numbers.count(alarms)}</small>
      </td>
      <td className="n muted">{priority === 1 ? '< 1 %' : numbers.percent(target)}</td>
    </tr>
  );
}
