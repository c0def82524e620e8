// The page of a table: stage, roads, cloth, tray, balance.
import { t } from '@lingui/core/macro';

import { showCard } from '../kit/cards.ts';
import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { openSheet } from '../kit/sheet.ts';
import { shortAmount } from './chips.ts';
import { countdownRing } from './countdown-ring.ts';
import type { Engine } from './engine.ts';
import { type SpotView, spotView } from './spot.ts';
import { totalOf } from './state.ts';
import { playersText, type Texts } from './texts.ts';
import { type TrayHandlers, trayView } from './tray.ts';
import type { Crowd, PastRound, SpotRule, Spots, Table } from './wire.ts';

import './faces.css';
import './table.css';
import './cloth.css';
import './pieces.css';
import './tray.css';
import './small.css';
import './wide.css';
import './narrow.css';

export type Handlers = TrayHandlers & {
  spot: (id: string) => void;
  rules: () => void;
  history: () => void;
  sound: () => void;
};

export type View = ReturnType<typeof tableView>;

function tool(path: string, tap: () => void): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'foot-tool' }, icon(path, 20));
  button.addEventListener('click', tap);
  return button;
}

export function tableView(engine: Engine, table: Table, texts: Texts, handlers: Handlers) {
  const look = { texts, unit: table.unit };
  const rules = new Map<string, SpotRule>(table.spots.map((rule) => [rule.id, rule]));
  const spots = new Map<string, SpotView>();
  const sheetOnlySpots = new Set<string>();

  function makeSpot(id: string, kind: Parameters<typeof spotView>[1]): HTMLElement {
    const rule = rules.get(id);
    // This table does not offer the spot.
    if (!rule) return el('span', { class: 'spot none' });
    const button = spotView(rule, kind, look, () => handlers.spot(id));
    spots.set(id, button);
    return button.root;
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
  const history = engine.history();
  const cloth = engine.cloth(makeSpot);
  const moreLabel = el('span');
  const moreSum = bdi('', 'more-sum');
  const more = el('button', { type: 'button', class: 'more-bets' }, moreLabel, moreSum);
  more.addEventListener('click', () => openMoreBets());
  for (const { prefix } of cloth.more ?? [])
    for (const { id } of table.spots) if (id.startsWith(prefix)) sheetOnlySpots.add(id);

  const tray = trayView(handlers, table.unit);
  const foot = {
    balanceLabel: el('span', { class: 'foot-label' }),
    balance: bdi('', 'foot-value'),
    stakeLabel: el('span', { class: 'foot-label' }),
    stake: bdi('', 'foot-value'),
  };
  const rulesTool = tool(icons.table, handlers.rules);
  const historyTool = tool(icons.history, handlers.history);
  const soundTool = tool(icons.sound, handlers.sound);

  const announcer = el('p', { class: 'hidden', role: 'status' });
  const panel = el('div', { class: 'table-panel', hidden: true });
  const top = el(
    'header',
    { class: 'table-stage' },
    stage.root,
    host,
    past,
    el('div', { class: 'stage-clock' }, ring.root, pill, people),
  );
  // The button is next to the history, so the cloth has all the space below.
  const before =
    sheetOnlySpots.size > 0 ? el('div', { class: 'past-row' }, history.root, more) : history.root;
  const felt = el('div', { class: 'felt' }, before, cloth.root);
  const root = el(
    'main',
    { class: 'table', 'data-engine': table.engine, 'data-stage': engine.stageLayout },
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
        el('div', {}, foot.balanceLabel, foot.balance),
        el('div', { class: 'foot-tools' }, rulesTool, historyTool, soundTool),
        el('div', { class: 'foot-end' }, foot.stakeLabel, foot.stake),
      ),
    ),
    announcer,
    panel,
  );

  let shownChips: { staked: Spots; put: Spots; tray: readonly number[] } = {
    staked: {},
    put: {},
    tray: [],
  };
  let sheetSpots: SpotView[] = [];
  const sheetHint = el('p', { class: 'hint sheet-hint', role: 'status' });

  /** Opens the sheet with the spots that do not fit on the cloth. */
  function openMoreBets(): void {
    const { body, root: sheet } = openSheet(t`More bets`);
    sheet.classList.add('more-sheet');
    sheet.append(sheetHint);
    const button: [string, SpotView][] = [];
    for (const { title, prefix } of cloth.more ?? []) {
      const list = table.spots.filter(({ id }) => id.startsWith(prefix));
      if (list.length === 0) continue;
      const views = list.map((rule) => {
        const view = spotView(rule, { kind: 'listed', tone: 'plain' }, look, () =>
          handlers.spot(rule.id),
        );
        view.setLabels();
        button.push([rule.id, view]);
        return view.root;
      });
      body.append(el('h3', {}, title()), el('div', { class: 'more-list' }, ...views));
    }
    for (const [id, view] of button) spots.set(id, view);
    sheetSpots = button.map(([, view]) => view);
    sheet.addEventListener('close', () => {
      for (const [id, view] of button) if (spots.get(id) === view) spots.delete(id);
      sheetSpots = [];
    });
    drawChips();
  }

  function drawChips(): void {
    const { staked, put } = shownChips;
    for (const [id, view] of spots) view.setChips(staked[id] ?? 0, put[id] ?? 0, shownChips.tray);
    const hidden = [...sheetOnlySpots].map((id) => (staked[id] ?? 0) + (put[id] ?? 0));
    const sum = hidden.reduce((total, amount) => total + amount, 0);
    setText(moreSum, sum > 0 ? shortAmount(sum) : '');
  }

  return {
    root,
    stage,
    tray,

    setLabels(game: string): void {
      document.title = game;
      setText(root.firstElementChild ?? root, game);
      stage.setLabels();
      setText(hostName, t`Host: Lan (virtual)`);
      setText(moreLabel, t`More bets`);
      foot.balanceLabel.textContent = t`Balance`;
      foot.stakeLabel.textContent = t`On the table`;
      for (const [button, label] of [
        [rulesTool, t`Rules and returns`],
        [historyTool, t`My rounds`],
        [soundTool, t`Sound`],
      ] as const) {
        button.setAttribute('aria-label', label);
        button.title = label;
      }
      for (const view of spots.values()) view.setLabels();
      tray.setLabels();
    },

    announce(text: string): void {
      setText(announcer, text);
    },

    setPhase(
      phase: Parameters<typeof ring.show>[0],
      leftMs: number,
      ofMs: number,
      text: string,
    ): void {
      if (root.dataset.phase !== phase) root.dataset.phase = phase;
      ring.show(phase, leftMs, ofMs);
      setText(pill, text);
    },

    setCrowd({ players, spots: on }: Crowd): void {
      people.hidden = players === 0;
      people.replaceChildren(icon(icons.people, 13), bdi(playersText(players)));
      const whole = Object.values(on).reduce((sum, { amount }) => sum + amount, 0);
      for (const [id, view] of spots) {
        const here = on[id];
        view.setCrowd(
          here?.players ?? 0,
          here?.amount ?? 0,
          whole > 0 ? (here?.amount ?? 0) / whole : 0,
        );
      }
    },

    setHistory(list: readonly PastRound[]): void {
      history.draw(list);
      const last = list.at(-1);
      past.hidden = !last;
      if (!last) return;
      const number = last.number;
      const outcome = engine.outcomeText(last.result);
      past.replaceChildren(
        ...(engine.lastResult
          ? [el('span', {}, t`Round ${number}`), ...engine.lastResult(last.result)]
          : [t`Round ${number}: ${outcome}`]),
      );
    },

    setChips(staked: Spots, put: Spots, values: readonly number[]): void {
      shownChips = { staked, put, tray: values };
      drawChips();
    },

    /** Marks winning and losing spots; null clears the marks. */
    showWinners(isWinning: ((rule: SpotRule) => boolean) | null): void {
      for (const [id, view] of spots) {
        const rule = rules.get(id);
        view.setResult(isWinning && rule ? isWinning(rule) : null);
      }
    },

    setAmounts(balance: string, staked: Spots, put: Spots): void {
      setText(foot.balance, balance);
      setText(foot.stake, texts.money(totalOf(staked) + totalOf(put)));
    },

    setSound(on: boolean): void {
      soundTool.setAttribute('aria-pressed', String(on));
      soundTool.replaceChildren(icon(on ? icons.sound : icons.muted, 20));
    },

    /** Sets the line above the chips, and the same line in an open sheet. */
    setHint(text: string, kind: 'plain' | 'warn'): void {
      tray.setHint(text, kind);
      setText(sheetHint, text);
      sheetHint.dataset.kind = kind;
    },

    closeMoreBets(): void {
      if (sheetSpots.length > 0) document.querySelector<HTMLDialogElement>('.more-sheet')?.close();
    },

    setCard(content: HTMLElement | null): void {
      showCard(panel, content);
    },
  };
}
