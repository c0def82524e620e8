// The last results in one row, newest first.
import { t } from '@lingui/core/macro';

import { el, setText } from '../kit/dom.ts';
import type { HistoryView } from './engine.ts';
import type { PastRound } from './wire.ts';

import './history-strip.css';

export function historyStrip(
  max: number,
  item: (result: unknown) => { text: string; tone: string; name: string },
): HistoryView {
  const label = el('span', { class: 'strip-label' });
  const list = el('ol', { class: 'strip-list' });
  const disclaimer = el('span');
  const root = el(
    'section',
    { class: 'past-strip' },
    list,
    el('p', { class: 'strip-words' }, label, disclaimer),
  );
  return {
    root,
    draw(history: readonly PastRound[]): void {
      const shown = history.slice(-max).toReversed();
      const count = shown.length;
      root.setAttribute('aria-label', t`Rounds before this one`);
      setText(label, t`Last ${count}`);
      setText(disclaimer, t`Does not predict the next round`);
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
