import { Link } from '@tanstack/react-router';
import { useWords } from '../words/use-words.ts';

/** Leads to the document that explains the page. */
export function HelpLink({ to }: { readonly to: string }) {
  const words = useWords().configure;
  const [topic = '', part] = to.split('#');
  return (
    <Link className="lnk" to="/help/$topic" params={{ topic }} {...(part !== undefined && { hash: part })}>
      {words.moreHelp}
    </Link>
  );
}
