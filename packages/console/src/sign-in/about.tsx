import { Mark } from '../symbols/mark.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

/** What this installation is, for somebody who has not signed in yet. */
export function About() {
  const words = useWords().signIn;
  const now = useNow();
  const time = useSiteTime();
  return (
    <section className="about">
      <div className="logo">
        <Mark size={44} />
        <b>Tocsin</b>
      </div>
      <h1>{location.hostname}</h1>
      <p className="lead">{words.lead}</p>
      <dl className="kv door-kv">
        <dt>{words.siteTime}</dt>
        <dd>
          {time.date(now)}, {time.clock(now)}, {time.offset(now)}
        </dd>
        <dt>{words.sound}</dt>
        <dd>{words.soundArms}</dd>
      </dl>
      <p className="fine">{words.callsGoOn}</p>
    </section>
  );
}
