import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { About } from './about.tsx';
import { DoorFoot } from './door-foot.tsx';

/** Shown until the server answers for the first time: a blank page would look like a broken desk. */
export function NoServerPage() {
  const words = useWords().failures;
  return (
    <div className="signin">
      <main className="door">
        <About />
        <section className="form no-server" role="alert">
          <Icon name="wifi-off" size={32} />
          <h2>{words.noServer}</h2>
          <p>{words.noServerLead}</p>
        </section>
      </main>
      <DoorFoot />
    </div>
  );
}
