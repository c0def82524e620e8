// A bottom sheet over the game, built on a modal dialog.
import { t } from '@lingui/core/macro';

import { sendToApp } from './bridge.ts';
import { el, icon } from './dom.ts';
import { icons } from './icons.ts';

export type Sheet = { root: HTMLDialogElement; body: HTMLElement; close: () => void };

let sheets = 0;

export function openSheet(title: string): Sheet {
  const closeButton = el('button', {
    type: 'button',
    class: 'sheet-close',
    'aria-label': t`Close`,
  });
  closeButton.append(icon(icons.x, 20));
  sheets += 1;
  const titleId = `sheet-title-${sheets}`;
  const head = el('h2', { id: titleId }, title);
  const body = el('div', {
    class: 'sheet-body',
    tabindex: 0,
    role: 'group',
    'aria-labelledby': titleId,
  });
  const root = el(
    'dialog',
    { class: 'sheet', 'aria-labelledby': titleId },
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
    // A sheet may have been opened from another one.
    sendToApp({ type: 'sheet', open: document.querySelector('dialog.sheet') !== null });
  });
  document.body.append(root);
  root.showModal();
  sendToApp({ type: 'sheet', open: true });
  return { root, body, close: closeSheet };
}
