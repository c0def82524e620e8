// The page around the slot's canvas: title, frame, win bar, controls, balance.
import { t } from '@lingui/core/macro';

import { showCard } from '../kit/cards.ts';
import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { gap, type Layout } from './layout.ts';
import type { ThemeName } from './themes.ts';

export type Handlers = {
  spin: () => void;
  stake: (step: 1 | -1) => void;
  paytable: () => void;
  history: () => void;
  sound: () => void;
  skip: () => void;
};

export type Bar = {
  kind: 'quiet' | 'returned' | 'win';
  head: string;
  text: string;
  net?: readonly [label: string, amount: string];
};

export type View = ReturnType<typeof slotView>;

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

export function slotView(handlers: Handlers, options: { theme: ThemeName; reels: number }) {
  const art = `/m/art/house/${options.theme}`;
  const title = { back: el('span', { 'aria-hidden': 'true' }), face: el('span') };
  const heading = el('h1', { class: 'title' }, title.back, title.face);
  const hero = el(
    'header',
    { class: 'hero' },
    el('img', { class: 'hero-art', src: `${art}/hero.webp`, alt: '' }),
    el('img', { class: 'hero-roof', src: `${art}/crest.webp`, alt: '' }),
    heading,
  );

  const pegs = [
    el('span', { class: 'peg', hidden: true }),
    el('span', { class: 'peg far', hidden: true }),
  ];
  const counter = el('p', { class: 'counter', hidden: true });
  const columns = el(
    'div',
    { class: 'columns' },
    ...Array.from({ length: options.reels }, () => el('div', { class: 'column' })),
  );
  const board = el(
    'div',
    { class: 'board', dir: 'ltr' },
    el('div', { class: 'window' }, columns),
    ...pegs,
    counter,
  );
  board.addEventListener('click', handlers.skip);

  const bar = { head: bdi('', 'bar-head'), text: el('span', { class: 'bar-text' }), shownText: '' };
  const winBar = el('div', { class: 'bar', 'aria-hidden': 'true' }, bar.head, bar.text);
  winBar.addEventListener('click', handlers.skip);
  const announcer = el('p', { class: 'hidden', role: 'status' });

  const stakeLabel = el('span', { class: 'label', id: 'stake-label' });
  const stakeShort = el('bdi', { class: 'stake-now amount', 'aria-hidden': 'true' });
  const stakeAnnounced = el('span', { class: 'hidden', 'aria-live': 'polite' });
  const less = button('round small', () => handlers.stake(-1), icon(icons.minus, 15));
  const more = button('round small', () => handlers.stake(1), icon(icons.plus, 15));
  const stake = el(
    'div',
    { class: 'stake', role: 'group', 'aria-labelledby': 'stake-label' },
    stakeLabel,
    el('div', { class: 'stake-row' }, less, stakeShort, stakeAnnounced, more),
  );

  const spinLabel = el('b');
  const spin = button('spin', handlers.spin, icon(icons.spin, 42), spinLabel);
  const toolLabels = {
    table: el('span', { class: 'label' }),
    sound: el('span', { class: 'label' }),
  };
  const soundIcon = el('span', { class: 'tool-icon' });
  const table = button(
    'tool',
    handlers.paytable,
    el('span', { class: 'round' }, icon(icons.table, 21)),
    toolLabels.table,
  );
  const sound = button(
    'tool',
    handlers.sound,
    el('span', { class: 'round' }, soundIcon),
    toolLabels.sound,
  );
  const controls = el(
    'div',
    { class: 'controls' },
    stake,
    spin,
    el('div', { class: 'tools' }, table, sound),
  );

  const footer = {
    label: el('span', { class: 'label' }),
    balance: bdi('', 'value'),
    lines: bdi('', 'label'),
    stake: bdi('', 'value'),
  };
  const history = button('history', handlers.history, icon(icons.history, 22));
  const foot = el(
    'footer',
    { class: 'slot-foot' },
    el('div', {}, footer.label, footer.balance),
    history,
    el('div', { class: 'slot-foot-end' }, footer.lines, footer.stake),
  );

  const panel = el('div', { class: 'panel', hidden: true });
  const warning = el('p', { class: 'warning', role: 'alert' });
  const main = el(
    'main',
    { class: 'slot', 'data-look': options.theme },
    hero,
    board,
    winBar,
    announcer,
    controls,
    foot,
    panel,
  );

  return {
    root: main,
    spin,
    less,
    more,
    sound,
    history,

    attach(canvas: HTMLCanvasElement): void {
      canvas.setAttribute('aria-hidden', 'true');
      canvas.className = 'canvas';
      board.append(canvas);
    },

    setLabels(game: string): void {
      document.title = game;
      title.back.textContent = game;
      title.face.textContent = game;
      stakeLabel.textContent = t`Stake per round`;
      less.setAttribute('aria-label', t`Lower stake`);
      more.setAttribute('aria-label', t`Higher stake`);
      spinLabel.textContent = t`Spin`;
      toolLabels.table.textContent = t`Paytable`;
      toolLabels.sound.textContent = t`Sound`;
      history.setAttribute('aria-label', t`Last rounds`);
      footer.label.textContent = t`Balance`;
    },

    resize(layout: Layout): void {
      const { style } = document.documentElement;
      main.dataset.wide = String(layout.wide);
      main.dataset.hero = String(layout.hero > 0);
      main.dataset.low = String(layout.hero < 110);
      const sizes = {
        'cell-w': layout.cell.width,
        'cell-h': layout.cell.height,
        gap,
        hero: layout.hero,
        'frame-w': layout.frame.width,
        'frame-h': layout.frame.height,
        'frame-pad': layout.frame.pad,
      };
      for (const [name, size] of Object.entries(sizes)) style.setProperty(`--${name}`, `${size}px`);
      fitTitle(heading, layout);
    },

    announce(text: string): void {
      setText(announcer, text);
    },

    setBar({ kind, head, text, net }: Bar): void {
      if (winBar.dataset.kind !== kind) winBar.dataset.kind = kind;
      setText(bar.head, head);
      // While an amount is counted up, the rest does not change.
      const shownText = JSON.stringify([text, net]);
      if (shownText === bar.shownText) return;
      bar.shownText = shownText;
      const parts = text ? [el('span', {}, text)] : [];
      if (net) parts.push(el('span', {}, `${net[0]} `, bdi(net[1], 'net')));
      bar.text.replaceChildren(...parts);
    },

    /** Shows the number of the lit line at both ends of its row. */
    showLine(line: number, first: number, last: number): void {
      for (const [peg, row] of [
        [pegs[0], first],
        [pegs[1], last],
      ] as const) {
        if (!peg) continue;
        peg.hidden = line === 0;
        peg.textContent = String(line);
        peg.style.setProperty('--row', String(row));
      }
    },

    setCounter(text: string): void {
      counter.hidden = text === '';
      setText(counter, text);
    },

    setAmounts(balance: string, lines: string, stakeNow: string, short: string): void {
      setText(footer.balance, balance);
      setText(footer.lines, lines);
      setText(footer.stake, stakeNow);
      setText(stakeShort, short);
      setText(stakeAnnounced, stakeNow);
    },

    setEnabled({
      spin: may,
      less: down,
      more: up,
    }: {
      spin: boolean;
      less: boolean;
      more: boolean;
    }): void {
      // aria-disabled keeps the focus on the button during a round.
      spin.setAttribute('aria-disabled', String(!may));
      less.disabled = !down;
      more.disabled = !up;
    },

    setSpinning(spinning: boolean): void {
      spin.dataset.turning = String(spinning);
      main.setAttribute('aria-busy', String(spinning));
    },

    setSound(on: boolean): void {
      sound.setAttribute('aria-pressed', String(on));
      soundIcon.replaceChildren(icon(on ? icons.sound : icons.muted, 21));
    },

    setCard(content: HTMLElement | null): void {
      showCard(panel, content);
    },

    /** Shows a warning over the stage. It stays. */
    setWarning(text: string): void {
      setText(warning, text);
      if (!warning.isConnected) main.append(warning);
    },
  };
}

/** Fits the title to the frame, on one line if it stays readable. */
function fitTitle(heading: HTMLElement, { wide, frame, hero }: Layout): void {
  const maxSize = Math.min(wide ? 36 : 46, hero > 0 ? hero * 0.62 : 30);
  const availableWidth = Math.min(frame.width - 24, wide ? 420 : 520);
  heading.style.fontSize = `${maxSize}px`;
  heading.dataset.long = 'false';
  const needed = heading.scrollWidth;
  if (needed <= availableWidth) return;
  const fitted = (maxSize * availableWidth) / needed;
  heading.dataset.long = String(fitted < 24);
  heading.style.fontSize = `${Math.max(fitted, Math.min(24, maxSize))}px`;
}
