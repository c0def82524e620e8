// The page of a table: stage, roads, cloth, tray, balance. It shows what it is told and reports taps; it never decides.
import { t } from '@lingui/core/macro';

import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { putCard } from '../kit/panel.ts';
import { openSheet } from '../kit/sheet.ts';
import { shortAmount } from './chips.ts';
import type { Engine } from './engine.ts';
import { countdownRing } from './ring.ts';
import { type SpotView, spotView } from './spot.ts';
import { totalOf } from './state.ts';
import { type TrayTaps, trayView } from './tray.ts';
import type { Crowd, Past, SpotRule, Spots, Table } from './wire.ts';
import { playersWord, type Words } from './words.ts';

import './faces.css';
import './table.css';
import './cloth.css';
import './pieces.css';
import './tray.css';
import './small.css';
import './wide.css';
import './narrow.css';

export type Taps = TrayTaps & {
  spot: (id: string) => void;
  rules: () => void;
  history: () => void;
  sound: () => void;
};

export type View = ReturnType<typeof tableView>;

function tool(path: string, tap: () => void): HTMLButtonElement {
  const made = el('button', { type: 'button', class: 'foot-tool' }, icon(path, 20));
  made.addEventListener('click', tap);
  return made;
}

export function tableView(engine: Engine, table: Table, words: Words, taps: Taps) {
  const rules = new Map<string, SpotRule>(table.spots.map((rule) => [rule.id, rule]));
  const spots = new Map<string, SpotView>();
  const onSheet = new Set<string>();

  function makeSpot(id: string, look: Parameters<typeof spotView>[1]): HTMLElement {
    const rule = rules.get(id);
    // A spot that this table does not take has no place to be tapped.
    if (!rule) return el('span', { class: 'spot none' });
    const made = spotView(rule, look, words, () => taps.spot(id));
    spots.set(id, made);
    return made.root;
  }

  const ring = countdownRing();
  const pill = el('span', { class: 'phase-pill' });
  const host = el(
    'span',
    { class: 'stage-note start', hidden: !engine.host },
    icon(icons.person, 15),
  );
  const hostName = el('span');
  host.append(hostName);
  const past = el('span', { class: 'stage-note end', hidden: true });
  const people = el('span', { class: 'stage-people', hidden: true });
  const stage = engine.stage();
  const road = engine.road();
  const cloth = engine.cloth(makeSpot);
  const moreWord = el('span');
  const moreSum = bdi('', 'more-sum');
  const more = el('button', { type: 'button', class: 'more-bets' }, moreWord, moreSum);
  more.addEventListener('click', () => openMore());
  for (const { prefix } of cloth.more ?? [])
    for (const { id } of table.spots) if (id.startsWith(prefix)) onSheet.add(id);

  const tray = trayView(taps);
  const foot = {
    balanceWord: el('span', { class: 'foot-label' }),
    balance: bdi('', 'foot-value'),
    stakeWord: el('span', { class: 'foot-label' }),
    stake: bdi('', 'foot-value'),
  };
  const rulesTool = tool(icons.table, taps.rules);
  const historyTool = tool(icons.history, taps.history);
  const soundTool = tool(icons.sound, taps.sound);

  const spoken = el('p', { class: 'hidden', role: 'status' });
  const panel = el('div', { class: 'table-panel', hidden: true });
  const top = el(
    'header',
    { class: 'table-stage' },
    stage.root,
    host,
    past,
    el('div', { class: 'stage-clock' }, ring.root, pill, people),
  );
  // What has no room on the cloth is reached from beside the past, so that the cloth has all the room below.
  const before = onSheet.size > 0 ? el('div', { class: 'past-row' }, road.root, more) : road.root;
  const felt = el('div', { class: 'felt' }, before, cloth.root);
  const root = el(
    'main',
    { class: 'table', 'data-engine': table.engine },
    el('h1', { class: 'hidden' }),
    top,
    felt,
    el(
      'div',
      { class: 'table-bottom' },
      tray.root,
      el(
        'footer',
        { class: 'foot' },
        el('div', {}, foot.balanceWord, foot.balance),
        el('div', { class: 'foot-tools' }, rulesTool, historyTool, soundTool),
        el('div', { class: 'foot-end' }, foot.stakeWord, foot.stake),
      ),
    ),
    spoken,
    panel,
  );

  let lying: { staked: Spots; put: Spots; tray: readonly number[] } = {
    staked: {},
    put: {},
    tray: [],
  };
  let sheetSpots: SpotView[] = [];
  const sheetHint = el('p', { class: 'hint sheet-hint', role: 'status' });

  /** Bets between numbers, each with its name in full; a tap puts the chosen chip, as on the cloth. */
  function openMore(): void {
    const { body, root: sheet } = openSheet(t`More bets`);
    sheet.classList.add('more-sheet');
    sheet.append(sheetHint);
    const made: [string, SpotView][] = [];
    for (const { title, prefix } of cloth.more ?? []) {
      const list = table.spots.filter(({ id }) => id.startsWith(prefix));
      if (list.length === 0) continue;
      const views = list.map((rule) => {
        const view = spotView(rule, { kind: 'listed', tone: 'plain' }, words, () =>
          taps.spot(rule.id),
        );
        view.name();
        made.push([rule.id, view]);
        return view.root;
      });
      body.append(el('h3', {}, title()), el('div', { class: 'more-list' }, ...views));
    }
    for (const [id, view] of made) spots.set(id, view);
    sheetSpots = made.map(([, view]) => view);
    sheet.addEventListener('close', () => {
      for (const [id, view] of made) if (spots.get(id) === view) spots.delete(id);
      sheetSpots = [];
    });
    lay();
  }

  function lay(): void {
    const { staked, put } = lying;
    for (const [id, view] of spots) view.chips(staked[id] ?? 0, put[id] ?? 0, lying.tray);
    const hidden = [...onSheet].map((id) => (staked[id] ?? 0) + (put[id] ?? 0));
    const sum = hidden.reduce((total, amount) => total + amount, 0);
    setText(moreSum, sum > 0 ? shortAmount(sum) : '');
  }

  return {
    root,
    stage,
    tray,

    /** The words that never change while a language is spoken. */
    name(game: string): void {
      document.title = game;
      setText(root.firstElementChild ?? root, game);
      stage.name();
      setText(hostName, t`Host: Lan (virtual)`);
      setText(moreWord, t`More bets`);
      foot.balanceWord.textContent = t`Balance`;
      foot.stakeWord.textContent = t`On the table`;
      for (const [made, label] of [
        [rulesTool, t`Rules and returns`],
        [historyTool, t`My rounds`],
        [soundTool, t`Sound`],
      ] as const) {
        made.setAttribute('aria-label', label);
        made.title = label;
      }
      for (const view of spots.values()) view.name();
      tray.name();
    },

    say(text: string): void {
      setText(spoken, text);
    },

    phase(
      phase: Parameters<typeof ring.show>[0],
      leftMs: number,
      ofMs: number,
      text: string,
    ): void {
      if (root.dataset.phase !== phase) root.dataset.phase = phase;
      ring.show(phase, leftMs, ofMs);
      setText(pill, text);
    },

    crowd({ players, spots: on }: Crowd): void {
      people.hidden = players === 0;
      people.replaceChildren(icon(icons.people, 13), bdi(playersWord(players)));
      const whole = Object.values(on).reduce((sum, { amount }) => sum + amount, 0);
      for (const [id, view] of spots) {
        const here = on[id];
        view.crowd(
          here?.players ?? 0,
          here?.amount ?? 0,
          whole > 0 ? (here?.amount ?? 0) / whole : 0,
        );
      }
    },

    history(list: readonly Past[]): void {
      road.draw(list);
      const last = list.at(-1);
      past.hidden = !last;
      if (!last) return;
      const number = last.number;
      const outcome = engine.outcome(last.result);
      past.replaceChildren(
        ...(engine.past
          ? [el('span', {}, t`Round ${number}`), ...engine.past(last.result)]
          : [t`Round ${number}: ${outcome}`]),
      );
    },

    chips(staked: Spots, put: Spots, values: readonly number[]): void {
      lying = { staked, put, tray: values };
      lay();
    },

    /** Lights what has won; null where nothing is decided. */
    lit(won: ((rule: SpotRule) => boolean) | null): void {
      for (const [id, view] of spots) {
        const rule = rules.get(id);
        view.lit(won && rule ? won(rule) : null);
      }
    },

    purse(balance: string, staked: Spots, put: Spots): void {
      setText(foot.balance, balance);
      setText(foot.stake, words.money(totalOf(staked) + totalOf(put)));
    },

    heard(on: boolean): void {
      soundTool.setAttribute('aria-pressed', String(on));
      soundTool.replaceChildren(icon(on ? icons.sound : icons.muted, 20));
    },

    /** The line above the chips; a sheet that lies over them says it, too. */
    hint(text: string, kind: 'plain' | 'warn'): void {
      tray.hint(text, kind);
      setText(sheetHint, text);
      sheetHint.dataset.kind = kind;
    },

    /** The sheet with more bets goes when there is no betting. */
    closeMore(): void {
      if (sheetSpots.length > 0) document.querySelector<HTMLDialogElement>('.more-sheet')?.close();
    },

    panel(content: HTMLElement | null): void {
      putCard(panel, content);
    },
  };
}
