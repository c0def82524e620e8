// The tray at the bottom: the chips to choose from, the buttons that change or confirm what lies on the cloth, and in
// their place, while nothing can be staked, the card that says where the round stands.
import { t } from '@lingui/core/macro';

import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { chipFace } from './chips.ts';

export type TrayTaps = {
  chip: (amount: number) => void;
  undo: () => void;
  repeat: () => void;
  clear: () => void;
  confirm: () => void;
};

/** What the card says while no chip can be put down. */
export type PhaseCard = {
  kind: 'plain' | 'deal' | 'win' | 'amber';
  mark: keyof typeof icons;
  head: string;
  text: string;
  /** At its end: what is left after the stake, or when it goes on. */
  end: string;
};

function button(name: string, taps: () => void, ...parts: (Node | string)[]): HTMLButtonElement {
  const made = el('button', { type: 'button', class: name }, ...parts);
  made.addEventListener('click', taps);
  // A key that is held down is one tap.
  made.addEventListener('keydown', (event) => {
    if (event.repeat) event.preventDefault();
  });
  return made;
}

export function trayView(taps: TrayTaps) {
  const hint = el('p', { class: 'hint' });
  const chips = el('div', { class: 'chips', role: 'radiogroup' });
  const undo = button('tray-key', taps.undo, icon(icons.undo, 22));
  const repeat = button('tray-key', taps.repeat, icon(icons.repeat, 22));
  const clear = button('tray-key', taps.clear, icon(icons.clear, 22));
  const confirmWord = el('span');
  const confirm = button('confirm', taps.confirm, icon(icons.check, 20), confirmWord);
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
  let marked = '';
  let allowed = '';

  /** One of the chips is chosen; arrows go from one to the next, as in every group of choices. */
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

    name(): void {
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

    chips(tray: readonly number[], chosen: number, money: (amount: number) => string): void {
      if (tray !== faces) {
        faces = tray;
        chips.replaceChildren(
          ...tray.map((amount) => {
            const made = button('chip-choice', () => taps.chip(amount), chipFace(amount, tray));
            made.setAttribute('role', 'radio');
            made.dataset.amount = String(amount);
            return made;
          }),
        );
      }
      for (const made of chips.children) {
        const amount = Number((made as HTMLElement).dataset.amount);
        const on = amount === chosen;
        made.setAttribute('aria-checked', String(on));
        made.setAttribute('aria-label', money(amount));
        made.setAttribute('tabindex', on ? '0' : '-1');
      }
    },

    hint(words: string, kind: 'plain' | 'warn'): void {
      setText(hint, words);
      hint.dataset.kind = kind;
    },

    keys(
      may: { undo: boolean; repeat: boolean; confirm: boolean; busy: boolean },
      label: string,
    ): void {
      setText(confirmWord, label);
      // Set anew they would be styled anew, with every second.
      const now = JSON.stringify(may);
      if (now === allowed) return;
      allowed = now;
      undo.disabled = !may.undo;
      clear.disabled = !may.undo;
      repeat.disabled = !may.repeat;
      // It keeps the focus while there is nothing to confirm.
      confirm.setAttribute('aria-disabled', String(!may.confirm));
      confirm.setAttribute('aria-busy', String(may.busy));
    },

    /** The card of the phase, with a way out where one is offered. */
    card(shown: PhaseCard | null, out: (() => void) | null): void {
      // Set anew, what is hidden already would be styled anew.
      if (card.hidden !== (shown === null)) {
        card.hidden = shown === null;
        for (const one of [chips, keys, hint]) one.hidden = shown !== null;
      }
      if (!shown) return;
      card.dataset.kind = shown.kind;
      if (marked !== shown.mark) {
        marked = shown.mark;
        mark.replaceChildren(icon(icons[shown.mark], 28));
      }
      setText(head, shown.head);
      setText(text, shown.text);
      setText(end, shown.end);
      leave.hidden = out === null;
      if (!out) return;
      onLeave = out;
      setText(leave, t`Leave safely`);
    },
  };
}
