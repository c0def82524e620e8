// A betting spot with odds, return, players and chips.
import { t } from '@lingui/core/macro';

import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { chipStack, shortAmount } from './chips.ts';
import type { Texts } from './texts.ts';
import type { SpotRule } from './wire.ts';

export type SpotView = ReturnType<typeof spotView>;

export type SpotLook = { kind: string; tone?: string; parts?: (Node | string)[]; bare?: boolean };

export function spotView(
  rule: SpotRule,
  look: SpotLook,
  { texts, unit }: { texts: Texts; unit: number },
  tap: () => void,
) {
  const name = el('b', { class: 'spot-name' });
  const odds = bdi('', 'spot-odds');
  const peopleText = bdi('');
  const crowd = el(
    'span',
    { class: 'spot-crowd', hidden: true },
    icon(icons.people, 13),
    peopleText,
  );
  const rtp = el('span', { class: 'spot-rtp' });
  const share = el('span', { class: 'spot-share', hidden: true });
  const chips = el('span', { class: 'spot-chips', 'aria-hidden': 'true' });
  const root = el('button', {
    type: 'button',
    class: 'spot',
    'data-spot': rule.id,
    'data-kind': look.kind,
    'data-tone': look.tone,
  });
  root.append(
    ...(look.parts
      ? [el('span', { class: 'spot-art', 'aria-hidden': 'true' }, ...look.parts)]
      : []),
    ...(look.bare ? [] : [name]),
    odds,
    el('span', { class: 'spot-facts' }, crowd, rtp),
    share,
    chips,
  );
  root.addEventListener('click', tap);
  // A held key must not repeat the tap.
  root.addEventListener('keydown', (event) => {
    if (event.repeat) event.preventDefault();
  });
  let shownKey = '';

  return {
    root,

    setLabels(): void {
      name.textContent = texts.spot(rule.id);
      odds.textContent = texts.odds(rule);
      rtp.replaceChildren('RTP ', bdi(texts.percent(rule.rtp)));
      this.describe(0, 0);
    },

    describe(staked: number, put: number): void {
      const parts = [texts.spot(rule.id)];
      const ratio = texts.odds(rule);
      const back = texts.percent(rule.rtp);
      parts.push(t`pays ${ratio}`, t`average return ${back}`);
      if (staked > 0) {
        const amount = texts.money(staked);
        parts.push(t`your stake ${amount}`);
      }
      if (put > 0) {
        const amount = texts.money(put);
        parts.push(t`not confirmed ${amount}`);
      }
      const label = parts.join(', ');
      if (root.getAttribute('aria-label') !== label) root.setAttribute('aria-label', label);
    },

    /** Sets the player's confirmed and unconfirmed stakes. */
    setChips(staked: number, put: number, tray: readonly number[]): void {
      const key = `${staked} ${put}`;
      if (key === shownKey) return;
      shownKey = key;
      const total = staked + put;
      chips.replaceChildren(
        ...(total > 0
          ? [
              chipStack(total, tray, unit),
              el('bdi', { class: 'spot-amount amount' }, shortAmount(total)),
            ]
          : []),
      );
      root.dataset.mine = total > 0 ? (put > 0 ? 'put' : 'staked') : 'none';
      this.describe(staked, put);
    },

    setCrowd(players: number, amount: number, part: number): void {
      crowd.hidden = players === 0;
      setText(
        peopleText,
        amount > 0 && look.kind === 'main' ? texts.people(players, amount) : String(players),
      );
      share.hidden = look.kind !== 'main' || part <= 0;
      share.style.setProperty('--part', String(Math.round(part * 100) / 100));
    },

    setResult(won: boolean | null): void {
      const state = won === null ? 'none' : won ? 'won' : 'lost';
      if (root.dataset.result !== state) root.dataset.result = state;
    },
  };
}
