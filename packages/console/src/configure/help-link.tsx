import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';

/** Leads to the document that explains the page, in a tab of its own: the console goes on watching the alarms. */
export function HelpLink({ to }: { readonly to: string }) {
  const words = useWords().configure;
  const { basePath } = useServices();
  const [topic = '', part] = to.split('#');
  const address = `${basePath}/help/${topic}/${part === undefined ? '' : `#${part}`}`;
  return (
    <a className="lnk" href={address} target="_blank" rel="noopener">
      {words.moreHelp}
    </a>
  );
}
