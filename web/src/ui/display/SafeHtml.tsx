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

/** Pictures of the app, and those that operators uploaded. The content security policy blocks others. */
const ownPicture = /^\/(?:m\/|wps\/content\/picture\/[\w.-]+$)/;

let sanitizer: DOMPurify | undefined;

/** Loads the sanitizer, so that later texts render at once in their full size. */
export async function loadSanitizer(): Promise<void> {
  sanitizer ??= (await import('dompurify').catch(() => null))?.default;
}

/** Shows an operator's HTML, sanitized. If the sanitizer fails to load, shows plain text. */
export function SafeHtml({ html, className }: { html: string; className?: string | undefined }) {
  const container = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(sanitizer !== undefined);

  useLayoutEffect(() => {
    let isCurrent = true;
    function show() {
      if (!isCurrent) return;
      container.current?.replaceChildren(sanitize(html));
      setReady(true);
    }
    if (sanitizer) show();
    else void loadSanitizer().then(show);
    return () => {
      isCurrent = false;
    };
  }, [html]);

  return (
    <>
      {!ready && <Skeleton shape="box" height={96} />}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only handles the links inside, which have keyboard support */}
      <div
        ref={container}
        dir="auto"
        className={cx(styles.text, className)}
        onClick={handleClick}
      />
    </>
  );
}

function sanitize(html: string): Node {
  if (!sanitizer) return document.createTextNode(stripTags(html));
  const fragment = sanitizer.sanitize(html, allowed);
  for (const link of fragment.querySelectorAll('a')) {
    if (ownPath(link.getAttribute('href'))) continue;
    link.target = '_blank';
    link.rel = 'noreferrer noopener';
  }
  for (const image of fragment.querySelectorAll('img')) {
    image.loading = 'lazy';
    image.decoding = 'async';
    if (!ownPicture.test(image.getAttribute('src') ?? '')) image.remove();
  }
  return fragment;
}

/** Removes tags without parsing. */
const stripTags = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').trim();

/** Opens links to this app without a page load. */
function handleClick(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = ownPath(link?.getAttribute('href'));
  if (!path || opensElsewhere(event)) return;
  event.preventDefault();
  navigate(path);
}
