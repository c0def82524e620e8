// A bottom sheet over the game, built on a modal dialog.
import { t } from '@lingui/core/macro';

import { sendToApp } from './bridge.ts';
import { el, icon } from './dom.ts';
import { icons } from './icons.ts';

export type Sheet = { root: HTMLDialogElement; body: HTMLElement; close: () => void };

export function openSheet(title: string): Sheet {
  const closeButton = el('button', {
    type: 'button',
    class: 'sheet-close',
    'aria-label': t`Close`,
  });
  closeButton.append(icon(icons.x, 20));
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
    el('header', { class: 'sheet-head' }, head, closeButton),
    body,
  );
  const closeSheet = (): void => root.close();
  closeButton.addEventListener('click', closeSheet);
  // A click on the backdrop targets the dialog itself.
  root.addEventListener('click', ({ target }) => {
    if (target === root) closeSheet();
  });
  root.addEventListener('close', () => {
    root.remove();
    sendToApp({ type: 'sheet', open: false });
  });
  document.body.append(root);
  root.showModal();
  sendToApp({ type: 'sheet', open: true });
  return { root, body, close: closeSheet };
}
