// A sheet that comes up from the bottom over the game. The browser's own dialog holds the focus and answers Escape.
import { t } from '@lingui/core/macro';

import { tell } from './bridge.ts';
import { el, icon } from './dom.ts';
import { icons } from './icons.ts';

export type Sheet = { root: HTMLDialogElement; body: HTMLElement; close: () => void };

export function openSheet(title: string): Sheet {
  const close = el('button', { type: 'button', class: 'sheet-close', 'aria-label': t`Close` });
  close.append(icon(icons.x, 20));
  const head = el('h2', { id: 'sheet-title' }, title);
  const body = el('div', {
    class: 'sheet-body',
    tabindex: 0,
    role: 'group',
    'aria-labelledby': 'sheet-title',
  });
  const root = el(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'sheet-title' },
    el('header', { class: 'sheet-head' }, head, close),
    body,
  );
  const end = (): void => root.close();
  close.addEventListener('click', end);
  // A tap on what lies behind it is a tap on the dialog itself.
  root.addEventListener('click', ({ target }) => {
    if (target === root) end();
  });
  root.addEventListener('close', () => {
    root.remove();
    tell({ type: 'sheet', open: false });
  });
  document.body.append(root);
  root.showModal();
  tell({ type: 'sheet', open: true });
  return { root, body, close: end };
}
