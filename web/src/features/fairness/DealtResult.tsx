import { useLingui } from '@lingui/react/macro';

import type { Dealt } from '../../lib/fairness-table.ts';

import styles from './FairnessScreen.module.css';

const suits: Readonly<Record<string, string>> = { S: '♠', H: '♥', D: '♦', C: '♣' };

const cardText = (card: string): string =>
  card.charAt(0).replace('T', '10') + (suits[card.charAt(1)] ?? '');

export function DealtResult({ dealt }: { dealt: Dealt }) {
  const { t } = useLingui();
  const lines: readonly (readonly [name: string, value: string])[] = (() => {
    switch (dealt.engine) {
      case 'baccarat': {
        const { player, banker, points } = dealt;
        return [
          [t`Player hand`, `${player.map(cardText).join(' ')} = ${points.player}`],
          [t`Banker hand`, `${banker.map(cardText).join(' ')} = ${points.banker}`],
        ];
      }
      case 'dragontiger':
        return [
          [t`Dragon`, cardText(dealt.dragon)],
          [t`Tiger`, cardText(dealt.tiger)],
        ];
      case 'sicbo':
        return [[t`Dice`, dealt.dice.join(' · ')]];
      case 'roulette':
        return [[t`Number on the wheel`, String(dealt.number)]];
    }
  })();
  return lines.map(([name, value]) => (
    <p key={name} className={styles.formula}>
      {name} <bdi dir="ltr">{value}</bdi>
    </p>
  ));
}
