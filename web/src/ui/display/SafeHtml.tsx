import { useEffect, useRef, useState, type MouseEvent } from 'react';

import { cx } from '../../lib/cx.ts';
import { navigate, opensElsewhere, ownPath } from '../../lib/router.tsx';
import { Skeleton } from '../Skeleton.tsx';

import styles from './SafeHtml.module.css';

/** What an operator may write. The server lets no more through either. */
const allowed = {
  ALLOWED_TAGS:
    'a b br blockquote code em h2 h3 h4 hr i img li ol p s small strong sub sup table tbody td th thead tr u ul'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'width', 'height', 'colspan', 'rowspan'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/**
 * Text that an operator wrote as HTML, made safe once more before it is shown. What cleans it comes with the first
 * such text; where it cannot be had the words stand without their dress.
 */
export function SafeHtml({ html, className }: { html: string; className?: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);

  useEffect(() => {
    let wanted = true;
    async function show() {
      const nodes = await clean(html);
      if (!wanted) return;
      place.current?.replaceChildren(nodes);
      setReady(true);
    }
    void show();
    return () => {
      wanted = false;
    };
  }, [html]);

  return (
    <>
      {!ready && <Skeleton shape="box" height={96} />}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- it only leads the links inside, which have keys of their own */}
      <div ref={place} dir="auto" className={cx(styles.text, className)} onClick={stayInside} />
    </>
  );
}

async function clean(html: string): Promise<Node> {
  const module = await import('dompurify').catch(() => null);
  if (!module) return document.createTextNode(plain(html));
  const fragment = module.default.sanitize(html, allowed);
  for (const link of fragment.querySelectorAll('a')) {
    if (ownPath(link.getAttribute('href'))) continue;
    link.target = '_blank';
    link.rel = 'noreferrer noopener';
  }
  for (const image of fragment.querySelectorAll('img')) {
    image.loading = 'lazy';
    image.decoding = 'async';
    // The page's policy would refuse others, and say so.
    if (!image.getAttribute('src')?.startsWith('/m/')) image.remove();
  }
  return fragment;
}

/** The words alone. Nothing is parsed: what looks like a tag is left out. */
const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').trim();

/** A link to a screen of this app does not load the app anew. */
function stayInside(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = ownPath(link?.getAttribute('href'));
  if (!path || opensElsewhere(event)) return;
  event.preventDefault();
  navigate(path);
}
