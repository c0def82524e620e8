// The page of the slot around its canvas: title, frame, win bar, controls, balance. It shows what it is told and reports
// taps; it never decides.
import { t } from '@lingui/core/macro';

import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { putCard } from '../kit/panel.ts';
import { gap, type Layout } from './layout.ts';
import { margin } from './stage.ts';
import type { ThemeName } from './themes.ts';

export type Taps = {
  spin: () => void;
  stake: (step: 1 | -1) => void;
  paytable: () => void;
  history: () => void;
  sound: () => void;
  skip: () => void;
};

/** What the bar under the reels says. */
export type Bar = {
  kind: 'quiet' | 'still' | 'win';
  head: string;
  text: string;
  /** What is left after the stake: its label and the amount. */
  net?: readonly [label: string, amount: string];
};

export type View = ReturnType<typeof slotView>;

function button(name: string, taps: () => void, ...parts: (Node | string)[]): HTMLButtonElement {
  const made = el('button', { type: 'button', class: name }, ...parts);
  made.addEventListener('click', taps);
  // A key that is held down is one tap: holding must never play on by itself.
  made.addEventListener('keydown', (event) => {
    if (event.repeat) event.preventDefault();
  });
  return made;
}

export function slotView(taps: Taps, look: { theme: ThemeName; reels: number }) {
  const art = `/m/art/house/${look.theme}`;
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
    ...Array.from({ length: look.reels }, () => el('div', { class: 'column' })),
  );
  const board = el(
    'div',
    { class: 'board', dir: 'ltr' },
    el('div', { class: 'window' }, columns),
    ...pegs,
    counter,
  );
  board.addEventListener('click', taps.skip);

  const bar = { head: bdi('', 'bar-head'), text: el('span', { class: 'bar-text' }), says: '' };
  const winBar = el('div', { class: 'bar', 'aria-hidden': 'true' }, bar.head, bar.text);
  winBar.addEventListener('click', taps.skip);
  const spoken = el('p', { class: 'hidden', role: 'status' });

  const stakeLabel = el('span', { class: 'label', id: 'stake-label' });
  const stakeShort = el('bdi', { class: 'stake-now amount', 'aria-hidden': 'true' });
  const stakeSpoken = el('span', { class: 'hidden', 'aria-live': 'polite' });
  const less = button('round small', () => taps.stake(-1), icon(icons.minus, 15));
  const more = button('round small', () => taps.stake(1), icon(icons.plus, 15));
  const stake = el(
    'div',
    { class: 'stake', role: 'group', 'aria-labelledby': 'stake-label' },
    stakeLabel,
    el('div', { class: 'stake-row' }, less, stakeShort, stakeSpoken, more),
  );

  const spinWord = el('b');
  const spin = button('spin', taps.spin, icon(icons.spin, 42), spinWord);
  const toolWords = {
    table: el('span', { class: 'label' }),
    sound: el('span', { class: 'label' }),
  };
  const soundIcon = el('span', { class: 'tool-icon' });
  const table = button(
    'tool',
    taps.paytable,
    el('span', { class: 'round' }, icon(icons.table, 21)),
    toolWords.table,
  );
  const sound = button(
    'tool',
    taps.sound,
    el('span', { class: 'round' }, soundIcon),
    toolWords.sound,
  );
  const controls = el(
    'div',
    { class: 'controls' },
    stake,
    spin,
    el('div', { class: 'tools' }, table, sound),
  );

  const purse = {
    label: el('span', { class: 'label' }),
    balance: bdi('', 'value'),
    lines: bdi('', 'label'),
    stake: bdi('', 'value'),
  };
  const history = button('history', taps.history, icon(icons.history, 22));
  const foot = el(
    'footer',
    { class: 'purse' },
    el('div', {}, purse.label, purse.balance),
    history,
    el('div', { class: 'purse-end' }, purse.lines, purse.stake),
  );

  const panel = el('div', { class: 'panel', hidden: true });
  const main = el(
    'main',
    { class: 'slot', 'data-look': look.theme },
    hero,
    board,
    winBar,
    spoken,
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

    /** The words that never change while a language is spoken. */
    name(game: string): void {
      document.title = game;
      title.back.textContent = game;
      title.face.textContent = game;
      stakeLabel.textContent = t`Stake per round`;
      less.setAttribute('aria-label', t`Lower stake`);
      more.setAttribute('aria-label', t`Higher stake`);
      spinWord.textContent = t`Spin`;
      toolWords.table.textContent = t`Paytable`;
      toolWords.sound.textContent = t`Sound`;
      history.setAttribute('aria-label', t`Last rounds`);
      purse.label.textContent = t`Balance`;
    },

    place(layout: Layout): void {
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
        over: margin,
      };
      for (const [name, size] of Object.entries(sizes)) style.setProperty(`--${name}`, `${size}px`);
      fitTitle(heading, layout);
    },

    say(text: string): void {
      setText(spoken, text);
    },

    bar({ kind, head, text, net }: Bar): void {
      if (winBar.dataset.kind !== kind) winBar.dataset.kind = kind;
      setText(bar.head, head);
      // While an amount is counted the rest stays as it is, in every frame.
      const says = JSON.stringify([text, net]);
      if (says === bar.says) return;
      bar.says = says;
      const parts = text ? [el('span', {}, text)] : [];
      if (net) parts.push(el('span', {}, `${net[0]} `, bdi(net[1], 'net')));
      bar.text.replaceChildren(...parts);
    },

    /** The number of the line that is lit, at its row on both sides. */
    line(line: number, first: number, last: number): void {
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

    /** Which free round it is, or what wins are multiplied by now; nothing most of the time. */
    counter(text: string): void {
      counter.hidden = text === '';
      setText(counter, text);
    },

    purse(balance: string, lines: string, stakeNow: string, short: string): void {
      setText(purse.balance, balance);
      setText(purse.lines, lines);
      setText(purse.stake, stakeNow);
      setText(stakeShort, short);
      setText(stakeSpoken, stakeNow);
    },

    ready({
      spin: may,
      less: down,
      more: up,
    }: {
      spin: boolean;
      less: boolean;
      more: boolean;
    }): void {
      // It keeps the focus while a round runs: it is only not to be pressed.
      spin.setAttribute('aria-disabled', String(!may));
      less.disabled = !down;
      more.disabled = !up;
    },

    spinning(now: boolean): void {
      spin.dataset.turning = String(now);
      main.setAttribute('aria-busy', String(now));
    },

    heard(on: boolean): void {
      sound.setAttribute('aria-pressed', String(on));
      soundIcon.replaceChildren(icon(on ? icons.sound : icons.muted, 21));
    },

    /** A card over the reels that says why there is no play now. */
    panel(content: HTMLElement | null): void {
      putCard(panel, content);
    },
  };
}

/** As large as the room allows, in one line if that stays readable. */
function fitTitle(heading: HTMLElement, { wide, frame, hero }: Layout): void {
  const most = Math.min(wide ? 36 : 46, hero > 0 ? hero * 0.62 : 30);
  const room = Math.min(frame.width - 24, wide ? 420 : 520);
  heading.style.fontSize = `${most}px`;
  heading.dataset.long = 'false';
  const needed = heading.scrollWidth;
  if (needed <= room) return;
  const fitted = (most * room) / needed;
  heading.dataset.long = String(fitted < 24);
  heading.style.fontSize = `${Math.max(fitted, Math.min(24, most))}px`;
}
