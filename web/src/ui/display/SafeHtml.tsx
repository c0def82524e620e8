import type { DOMPurify } from 'dompurify';
import { useLayoutEffect, useRef, useState, type MouseEvent } from 'react';

import { cx } from '../../lib/cx.ts';
import { navigate, opensElsewhere, ownPath } from '../../lib/router.tsx';
import { Skeleton } from '../Skeleton.tsx';

import styles from './SafeHtml.module.css';

/** The HTML that operators may use. The server allows the same. */
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

let cleaner: DOMPurify | undefined;

/** Loads the sanitizer, so that later texts render at once in their full size. */
export async function loadCleaner(): Promise<void> {
  cleaner ??= (await import('dompurify').catch(() => null))?.default;
}

/** Shows an operator's HTML, sanitized. If the sanitizer fails to load, shows plain text. */
export function SafeHtml({ html, className }: { html: string; className?: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(cleaner !== undefined);

  useLayoutEffect(() => {
    let wanted = true;
    function show() {
      if (!wanted) return;
      place.current?.replaceChildren(clean(html));
      setReady(true);
    }
    if (cleaner) show();
    else void loadCleaner().then(show);
    return () => {
      wanted = false;
    };
  }, [html]);

  return (
    <>
      {!ready && <Skeleton shape="box" height={96} />}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only handles the links inside, which have keyboard support */}
      <div ref={place} dir="auto" className={cx(styles.text, className)} onClick={stayInside} />
    </>
  );
}

function clean(html: string): Node {
  if (!cleaner) return document.createTextNode(plain(html));
  const fragment = cleaner.sanitize(html, allowed);
  for (const link of fragment.querySelectorAll('a')) {
    if (ownPath(link.getAttribute('href'))) continue;
    link.target = '_blank';
    link.rel = 'noreferrer noopener';
  }
  for (const image of fragment.querySelectorAll('img')) {
    image.loading = 'lazy';
    image.decoding = 'async';
    // The content security policy blocks other pictures.
    if (!image.getAttribute('src')?.startsWith('/m/')) image.remove();
  }
  return fragment;
}

/** Removes tags without parsing. */
const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').trim();

/** Opens links to this app without a page load. */
function stayInside(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = ownPath(link?.getAttribute('href'));
  if (!path || opensElsewhere(event)) return;
  event.preventDefault();
  navigate(path);
}
