// The last results in one line, for tables without sides to compare.
import { t } from '@lingui/core/macro';

import { el, setText } from '../kit/dom.ts';
import type { PastView } from './engine.ts';
import type { Past } from './wire.ts';

import './strip.css';

export function pastStrip(
  most: number,
  item: (result: unknown) => { text: string; tone: string; name: string },
): PastView {
  const label = el('span', { class: 'strip-label' });
  const list = el('ol', { class: 'strip-list' });
  const honest = el('span');
  const root = el(
    'section',
    { class: 'past-strip' },
    list,
    el('p', { class: 'strip-words' }, label, honest),
  );
  return {
    root,
    draw(history: readonly Past[]): void {
      // The latest first.
      const shown = history.slice(-most).toReversed();
      const count = shown.length;
      root.setAttribute('aria-label', t`Rounds before this one`);
      setText(label, t`Last ${count}`);
      setText(honest, t`Does not predict the next round`);
      list.replaceChildren(
        ...shown.map(({ result }) => {
          const { text, tone, name } = item(result);
          return el(
            'li',
            { 'data-tone': tone },
            el('bdi', { 'aria-hidden': 'true' }, text),
            el('span', { class: 'hidden' }, name),
          );
        }),
      );
    },
  };
}
