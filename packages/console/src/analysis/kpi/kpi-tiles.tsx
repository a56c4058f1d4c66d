import type { AlarmKpis } from '@tocsin/contract';
import { shortDuration } from '../../time/durations.ts';
import { useWords } from '../../words/use-words.ts';
import { useNumbers } from '../numbers.ts';
import { type Figure, figuresOf } from './targets.ts';

/** The most important figures, with their targets. */
export function KpiTiles({ kpis }: { readonly kpis: AlarmKpis }) {
  const words = useWords().kpi;
  const show = useFigureText(kpis);
  return (
    <section className="tiles" aria-label={words.title}>
      {figuresOf(kpis).map((figure) => {
        const { value, unit, target } = show(figure);
        return (
          <div key={figure.name} className={`tile ${figure.verdict}`} data-figure={figure.name}>
            <span className="tn">{words.figures[figure.name]}</span>
            <span className="tv">
              {value}
              {unit !== '' && <small> {unit}</small>}
            </span>
            <span className="tt">
              {figure.verdict !== 'none' && (
                <>
                  <i aria-hidden="true" />
                  <b>{words.verdict[figure.verdict]}</b>{' '}
                </>
              )}
              {target}
            </span>
          </div>
        );
      })}
    </section>
  );
}

type FigureText = { readonly value: string; readonly unit: string; readonly target: string };

/** How a figure and its target are written. */
export function useFigureText({ acknowledged }: AlarmKpis): (figure: Figure) => FigureText {
  const words = useWords().kpi;
  const numbers = useNumbers();
  return ({ name, value, target = 0 }) => {
    const number = value === undefined ? '–' : numbers.decimal(value);
    if (name === 'rate') return { value: number, unit: words.perHour, target: words.most(`${target}`) };
    if (name === 'flood') return { value: number, unit: '%', target: words.below(`${target} %`) };
    if (name === 'worst') return { value: number, unit: '%', target: words.most(`${target} %`) };
    if (name === 'stale') return { value: number, unit: '', target: words.below(`${target}`) };
    if (name === 'acknowledge')
      return {
        value: value === undefined ? '–' : shortDuration(value * 1_000),
        unit: '',
        target: words.ofAlarms(acknowledged),
      };
    return { value: number, unit: '', target: words.most(`${target}`) };
  };
}
