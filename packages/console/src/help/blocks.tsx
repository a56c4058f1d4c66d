import { Link } from '@tanstack/react-router';
import { createElement } from 'react';
import { documentNames } from './documents.ts';
import { type Block, type Inline, readInline } from './markdown.ts';

/** The blocks of a document. Nothing in it is taken as HTML. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is shown.
    <OneBlock key={index} block={block} />
  ));
}

function OneBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return createElement(`h${block.level}`, { id: block.id }, <Text text={block.text} />);
    case 'paragraph':
      return (
        <p>
          <Text text={block.text} />
        </p>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which a keyboard needs the focus for.
        <pre dir="ltr" tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list':
      return createElement(
        block.isOrdered ? 'ol' : 'ul',
        {},
        block.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is shown.
          <li key={index}>
            <Text text={item} />
          </li>
        )),
      );
    case 'table':
      return <Table block={block} />;
  }
}

function Table({ block: { head, rows } }: { readonly block: Extract<Block, { kind: 'table' }> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which a keyboard needs the focus for.
    <div className="doctable" tabIndex={0}>
      <table className="tbl">
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is shown.
              <th key={index}>
                <Text text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is shown.
            <tr key={at}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is shown.
                <td key={index}>
                  <Text text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Text({ text }: { readonly text: string }) {
  return readInline(text).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is shown.
    <Piece key={index} piece={piece} />
  ));
}

function Piece({ piece }: { readonly piece: Inline }) {
  if (piece.kind === 'link') return <DocumentLink text={piece.text} to={piece.to} />;
  if (piece.kind === 'code') return <code>{piece.text}</code>;
  if (piece.kind === 'bold')
    return (
      <b>
        <Text text={piece.text} />
      </b>
    );
  return piece.kind === 'italic' ? <i>{piece.text}</i> : piece.text;
}

/** A link to another document, or to a part of this one. Other addresses are shown as text: nothing leads outside. */
function DocumentLink({ text, to }: { readonly text: string; readonly to: string }) {
  if (to.startsWith('#'))
    return (
      <a className="lnk" href={to}>
        <Text text={text} />
      </a>
    );
  const [, topic = '', , part] = /^([\w-]+)\.md(#(.*))?$/.exec(to) ?? [];
  if (!documentNames.includes(topic)) return <Text text={text} />;
  return (
    <Link className="lnk" to="/help/$topic" params={{ topic }} {...(part !== undefined && { hash: part })}>
      <Text text={text} />
    </Link>
  );
}
