import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { Blocks } from './blocks.tsx';
import { documentNames, loadDocument } from './documents.ts';
import { readMarkdown } from './markdown.ts';

const route = getRouteApi('/desk/help/$topic');

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

/** The documents of this release, without a connection to the outside. */
export function HelpPage() {
  const words = useWords().configureHelp;
  const { basePath } = useServices();
  const { topic } = route.useParams();
  const name = topic === 'start' ? 'operations' : topic;
  const { data, isSuccess } = useQuery({
    queryKey: ['help', name],
    queryFn: async () => (await loadDocument(name)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [data]);
  return (
    <main className="setpage nopanel cf helppage">
      <nav className="groups snav" aria-label={words.contents}>
        <h2>{words.contents}</h2>
        {documentNames.map((each) => (
          <Link
            key={each}
            className="sn"
            to="/help/$topic"
            params={{ topic: each }}
            {...(each === name ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
          >
            <Icon name="file-text" size={16} />
            <span>{titleOf(each)}</span>
          </Link>
        ))}
        <a className="sn" href={`${basePath}/docs`}>
          <Icon name="code" size={16} />
          <span>{words.interface}</span>
        </a>
      </nav>
      <section className="pane" aria-label={words.title} tabIndex={-1}>
        <p className="muted">{words.lead}</p>
        {isSuccess && data === null && <p role="alert">{words.none(topic)}</p>}
        {typeof data === 'string' && (
          <article className="doc" lang="en">
            <Blocks blocks={readMarkdown(data)} />
          </article>
        )}
      </section>
    </main>
  );
}
