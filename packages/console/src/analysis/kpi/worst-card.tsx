import { Link } from '@tanstack/react-router';
import type { AlarmKpis, KpiTag } from '@tocsin/contract';
import { useWords } from '../../words/use-words.ts';
import { ChartCard } from '../chart-card.tsx';
import { useNumbers } from '../numbers.ts';
import { Table } from '../table.tsx';

const shownTags = 10;

/** The tags that raise most of the alarms: what is mended first. */
export function WorstCard({ kpis: { worst } }: { readonly kpis: AlarmKpis }) {
  const words = useWords();
  const numbers = useNumbers();
  const tags = worst.items.slice(0, shownTags);
  const third = tags[2]?.cumulativeShare;
  return (
    <ChartCard
      title={words.kpi.worst}
      note={third === undefined ? undefined : words.kpi.worstNote(numbers.percent(third))}
      kind="k-par"
      chart={tags.length === 0 ? <p className="muted">{words.kpi.noAlarm}</p> : <Pareto tags={tags} />}
      table={<WorstTable tags={tags} />}
    />
  );
}

/** The tags with numbers and shares. */
export function WorstTable({ tags }: { readonly tags: readonly KpiTag[] }) {
  const words = useWords();
  const numbers = useNumbers();
  return (
    <Table
      label={words.kpi.worst}
      columns={[
        { label: words.analysis.tag },
        { label: words.analysis.message },
        { label: words.analysis.alarms, isNumber: true },
        { label: words.analysis.share, isNumber: true },
        { label: words.kpi.sum, isNumber: true },
        { label: words.kpi.chattering, isNumber: true },
      ]}
      rows={tags.map((tag) => ({
        key: tag.tagId,
        cells: [
          <TagLink key="tag" tag={tag} />,
          tag.message,
          numbers.count(tag.alarms),
          numbers.percent(tag.share),
          numbers.percent(tag.cumulativeShare),
          numbers.count(tag.chattering),
        ],
      }))}
    />
  );
}

export function TagLink({ tag }: { readonly tag: Pick<KpiTag, 'tagId' | 'tagName'> }) {
  return (
    <Link className="lnk" to="/alarms/$id" params={{ id: String(tag.tagId) }}>
      {tag.tagName}
    </Link>
  );
}

/** Bars with the number of alarms, beside them the sum of the shares so far. */
function Pareto({ tags }: { readonly tags: readonly KpiTag[] }) {
  const words = useWords();
  const numbers = useNumbers();
  const most = tags[0]?.alarms ?? 1;
  const whole = (tags.at(-1)?.cumulativeShare ?? 0) > 0.5 ? 1 : 0.5;
  return (
    <ol className="pareto" aria-label={words.kpi.worst}>
      <li className="parhead" aria-hidden="true">
        <span />
        <span />
        <span>{words.analysis.alarms}</span>
        <span className="scale">
          <i>0</i>
          <i>{numbers.percent(whole)}</i>
        </span>
        <span className="n">{words.kpi.sum}</span>
      </li>
      {tags.map((tag, index) => (
        <li key={tag.tagId}>
          <b>{index + 1}</b>
          <span className="name" title={tag.message}>
            <TagLink tag={tag} />
          </span>
          <ParetoBar tag={tag} share={tag.alarms / most} isFirst={index < 3} />
          <ParetoLine tags={tags} index={index} whole={whole} />
          <span className="n">{numbers.percent(tag.cumulativeShare)}</span>
        </li>
      ))}
    </ol>
  );
}

/** In percent: beside the longest bar is room for its number. */
const widest = 58;

type BarProps = { readonly tag: KpiTag; readonly share: number; readonly isFirst: boolean };

function ParetoBar({ tag: { alarms, chattering }, share, isFirst }: BarProps) {
  const words = useWords().kpi;
  const numbers = useNumbers();
  return (
    <span className="parbar">
      <i className={isFirst ? 'hi' : ''} style={{ inlineSize: `${Math.max(1, share * widest)}%` }} />
      {numbers.count(alarms)}
      {chattering > 0 && `, ${words.chatters(chattering)}`}
    </span>
  );
}

type LineProps = { readonly tags: readonly KpiTag[]; readonly index: number; readonly whole: number };

/** The part of the rising line beside one tag: from half way to the one before, to half way to the next. */
function ParetoLine({ tags, index, whole }: LineProps) {
  const at = (one: number) => ((tags[one]?.cumulativeShare ?? 0) / whole) * 100;
  const x = at(index);
  const before = index > 0 ? (at(index - 1) + x) / 2 : undefined;
  const after = index < tags.length - 1 ? (x + at(index + 1)) / 2 : undefined;
  return (
    <svg className="chart parline" viewBox="0 0 100 33" preserveAspectRatio="none" aria-hidden="true">
      {before !== undefined && <line className="ln" x1={before} x2={x} y1="0" y2="16.5" />}
      {after !== undefined && <line className="ln" x1={x} x2={after} y1="16.5" y2="33" />}
      <rect className="dot" x={x - 2.5} y="13.5" width="5" height="6" />
    </svg>
  );
}
