// The bottom of the table: chips and keys, or a card while bets are closed.
import { t } from '@lingui/core/macro';

import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { chipFace } from './chips.ts';

export type TrayHandlers = {
  chip: (amount: number) => void;
  undo: () => void;
  repeat: () => void;
  clear: () => void;
  confirm: () => void;
};

export type PhaseCard = {
  kind: 'plain' | 'deal' | 'win' | 'amber';
  mark: keyof typeof icons;
  head: string;
  text: string;
  /** The net result, or the time until the next round. */
  end: string;
};

function button(
  name: string,
  handlers: () => void,
  ...parts: (Node | string)[]
): HTMLButtonElement {
  const node = el('button', { type: 'button', class: name }, ...parts);
  node.addEventListener('click', handlers);
  // A held key must not repeat the tap.
  node.addEventListener('keydown', (event) => {
    if (event.repeat) event.preventDefault();
  });
  return node;
}

export function trayView(handlers: TrayHandlers, unit: number) {
  const hint = el('p', { class: 'hint' });
  const chips = el('div', { class: 'chips', role: 'radiogroup' });
  const undo = button('tray-key', handlers.undo, icon(icons.undo, 22));
  const repeat = button('tray-key', handlers.repeat, icon(icons.repeat, 22));
  const clear = button('tray-key', handlers.clear, icon(icons.clear, 22));
  const confirmLabel = el('span');
  const confirm = button('confirm', handlers.confirm, icon(icons.check, 20), confirmLabel);
  const keys = el('div', { class: 'tray-keys' }, undo, repeat, clear, confirm);

  const mark = el('span', { class: 'phase-mark', 'aria-hidden': 'true' });
  const head = el('b', { class: 'phase-head' });
  const text = el('span', { class: 'phase-text' });
  const end = bdi('', 'phase-end');
  const card = el(
    'div',
    { class: 'phase-card', hidden: true },
    mark,
    el('div', { class: 'phase-words' }, head, text),
    end,
  );
  const leave = el('button', { type: 'button', class: 'act phase-leave', hidden: true });
  let onLeave: (() => void) | null = null;
  leave.addEventListener('click', () => onLeave?.());
  card.append(leave);
  const root = el('div', { class: 'tray' }, hint, chips, keys, card);
  let faces: readonly number[] = [];
  let shownMark = '';
  let shownKeys = '';

  /** Moves the selection, as the arrow keys do in a radio group. */
  function step(by: number): void {
    const all = [...chips.querySelectorAll<HTMLElement>('[role=radio]')];
    const now = all.findIndex((one) => one.getAttribute('aria-checked') === 'true');
    const to = all[(now + by + all.length) % all.length];
    to?.click();
    to?.focus();
  }
  chips.addEventListener('keydown', ({ key }) => {
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (key === forward || key === 'ArrowDown') step(1);
    else if (key === back || key === 'ArrowUp') step(-1);
  });

  return {
    root,
    confirm,

    setLabels(): void {
      chips.setAttribute('aria-label', t`Chips`);
      for (const [key, label] of [
        [undo, t`Take the last chip back`],
        [repeat, t`Same stake as last time`],
        [clear, t`Take all chips back`],
      ] as const) {
        key.setAttribute('aria-label', label);
        key.title = label;
      }
    },

    setChips(tray: readonly number[], chosen: number, money: (amount: number) => string): void {
      if (tray !== faces) {
        faces = tray;
        chips.replaceChildren(
          ...tray.map((amount) => {
            const node = button('chip-choice', () => handlers.chip(amount), chipFace(amount, unit));
            node.setAttribute('role', 'radio');
            node.dataset.amount = String(amount);
            return node;
          }),
        );
      }
      for (const node of chips.children) {
        const amount = Number((node as HTMLElement).dataset.amount);
        const on = amount === chosen;
        node.setAttribute('aria-checked', String(on));
        node.setAttribute('aria-label', money(amount));
        node.setAttribute('tabindex', on ? '0' : '-1');
      }
    },

    setHint(message: string, kind: 'plain' | 'warn'): void {
      setText(hint, message);
      hint.dataset.kind = kind;
    },

    setKeys(
      enabled: { undo: boolean; repeat: boolean; confirm: boolean; busy: boolean },
      label: string,
    ): void {
      setText(confirmLabel, label);
      // Setting equal values would restyle the buttons every second.
      const now = JSON.stringify(enabled);
      if (now === shownKeys) return;
      shownKeys = now;
      undo.disabled = !enabled.undo;
      clear.disabled = !enabled.undo;
      repeat.disabled = !enabled.repeat;
      // aria-disabled keeps the focus on the button.
      confirm.setAttribute('aria-disabled', String(!enabled.confirm));
      confirm.setAttribute('aria-busy', String(enabled.busy));
    },

    setCard(shown: PhaseCard | null, leaveAction: (() => void) | null): void {
      // Setting equal values would restyle hidden elements.
      if (card.hidden !== (shown === null)) {
        card.hidden = shown === null;
        for (const one of [chips, keys, hint]) one.hidden = shown !== null;
      }
      if (!shown) return;
      card.dataset.kind = shown.kind;
      if (shownMark !== shown.mark) {
        shownMark = shown.mark;
        mark.replaceChildren(icon(icons[shown.mark], 28));
      }
      setText(head, shown.head);
      setText(text, shown.text);
      setText(end, shown.end);
      leave.hidden = leaveAction === null;
      if (!leaveAction) return;
      onLeave = leaveAction;
      setText(leave, t`Leave safely`);
    },
  };
}
