import type { PlannedCall } from '../../alarm-page/planned-calls.ts';
import { useWords } from '../../words/use-words.ts';
import { axisMarks, ladderChart } from './ladder-chart.ts';

const width = 1_160;
const left = 190;
const rowHeight = 34;
const top = 24;

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** The ladder over time. The list beside it says the same to those who cannot see it. */
export function CallChart({ calls }: { readonly calls: readonly PlannedCall[] }) {
  const words = useWords();
  const { rows, seconds } = ladderChart(calls);
  const x = (at: number) => left + (at / seconds) * (width - left - 8);
  const height = top + rows.length * rowHeight + 4;
  const mediumName = (medium: string) => words.media[medium as keyof typeof words.media] ?? medium;
  return (
    <svg className="gantt" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {axisMarks(seconds).map((at) => (
        <g key={at}>
          <line className="gl" x1={x(at)} x2={x(at)} y1={top - 4} y2={height} />
          <text className="mid" x={x(at)} y={13}>
            {clock(at)}
          </text>
        </g>
      ))}
      <line className="axl" x1={0} x2={width} y1={top - 3.5} y2={top - 3.5} />
      {rows.map(({ user, callGroup, bars }, index) => {
        const y = top + index * rowHeight;
        return (
          <g key={`${user} ${callGroup}`}>
            <text className="nm" x={0} y={y + 14}>
              {user}
            </text>
            <text x={0} y={y + 29}>
              {[...new Set(bars.flatMap(({ media }) => media))].map(mediumName).join(', ')}
              {callGroup === '' ? '' : ` · ${callGroup}`}
            </text>
            {bars.map(({ from, to, media }) => (
              <g key={from}>
                <rect className="bar2" x={x(from)} y={y + 5} width={x(to) - x(from) - 2} height={24} rx={2} />
                {x(to) - x(from) > 60 && (
                  <text className="inb" x={x(from) + 6} y={y + 21}>
                    {media.map(mediumName).join(', ')}
                  </text>
                )}
              </g>
            ))}
          </g>
        );
      })}
    </svg>
  );
}
