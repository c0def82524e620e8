import { useLingui } from '@lingui/react/macro';

import { cx } from '../src/lib/cx.ts';
import { formatNumber } from '../src/lib/money.ts';
import { Die } from '../src/ui/display/DrawResult.tsx';
import { useGameContext, useTranslate } from './context.ts';
import {
  hasQuickPicks,
  quickCells,
  rowsOf,
  toggle,
  type Picks,
  type QuickPick,
  type Row,
} from './picks.ts';
import { optionText } from './play-texts.ts';
import type { Play } from './wire.ts';

import styles from './Picker.module.css';

export type PickerProps = {
  play: Play;
  picks: Picks;
  onChange: (picks: Picks) => void;
  disabled: boolean;
};

/** Shows the cells of a play, as its `pick` describes them. */
export function Picker({ play, picks, onChange, disabled }: PickerProps) {
  const rows = rowsOf(play);
  const label = useRowLabel();
  return (
    <div className={styles.picker}>
      {rows.map((row) => (
        <fieldset key={row.id} className={styles.row} disabled={disabled}>
          <div className={styles.rowHead}>
            <legend
              className={cx(styles.legend, row.label.kind === 'none' && styles.visuallyHidden)}
            >
              {label(row)}
            </legend>
            {hasQuickPicks(play) && (
              <QuickPicks
                row={row}
                chosen={picks[row.id] ?? []}
                onChange={(cells) => onChange({ ...picks, [row.id]: cells })}
              />
            )}
          </div>
          <Cells
            play={play}
            row={row}
            chosen={picks[row.id] ?? []}
            onToggle={(cell) => onChange(toggle(picks, row, cell))}
          />
        </fieldset>
      ))}
    </div>
  );
}

function useRowLabel(): (row: Row) => string {
  const { t } = useLingui();
  const translate = useTranslate();
  const digitNames = [t`Units`, t`Tens`, t`Hundreds`, t`Thousands`];
  return ({ label }) => {
    switch (label.kind) {
      case 'position':
        return t`Position ${label.number}`;
      case 'third':
        return translate(optionText(label.name));
      case 'digit':
        return digitNames[label.place] ?? '';
      case 'pair':
        return t`Comes twice`;
      case 'single':
        return t`Comes once`;
      case 'none':
        return t`Your choice`;
    }
  };
}

type QuickPicksProps = {
  row: Row;
  chosen: readonly string[];
  onChange: (cells: string[]) => void;
};

function QuickPicks({ row, chosen, onChange }: QuickPicksProps) {
  const { t } = useLingui();
  const quick: [QuickPick, string][] = [
    ['all', t`All`],
    ['big', t`Big`],
    ['small', t`Small`],
    ['odd', t`Odd`],
    ['even', t`Even`],
  ];
  return (
    <div className={styles.quick}>
      {quick.map(([name, text]) => {
        const cells = quickCells(row, name);
        const isChosen = cells.length === chosen.length && cells.every((c) => chosen.includes(c));
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isChosen}
            className={styles.quickButton}
            onClick={() => onChange(isChosen ? [] : cells)}
          >
            {text}
          </button>
        );
      })}
    </div>
  );
}

type CellsProps = {
  play: Play;
  row: Row;
  chosen: readonly string[];
  onToggle: (cell: string) => void;
};

function Cells({ play, row, chosen, onToggle }: CellsProps) {
  const { i18n } = useLingui();
  const translate = useTranslate();
  const { game } = useGameContext();
  const odds = new Map(play.outcomes?.map((outcome) => [outcome.when, outcome.odds]));
  const isOption = play.pick.kind === 'option';
  const isDice = game.type === 'k3' && !isOption;
  const grid = isOption ? (row.cells.length > 8 ? styles.totals : styles.options) : styles.numbers;
  return (
    <div className={cx(styles.cells, grid)} dir="ltr">
      {row.cells.map((cell) => {
        const text = translate(optionText(cell));
        const price = isOption ? (odds.get(cell) ?? play.odds) : undefined;
        const faces = game.type === 'k3' ? /^(triple|pair)-(\d)$/.exec(cell) : null;
        return (
          <button
            key={cell}
            type="button"
            aria-pressed={chosen.includes(cell)}
            className={styles.cell}
            onClick={() => onToggle(cell)}
          >
            {faces ? (
              <span className={styles.faces}>
                {Array.from({ length: faces[1] === 'triple' ? 3 : 2 }, (_, index) => (
                  <Die key={index} value={Number(faces[2])} size="small" />
                ))}
              </span>
            ) : isDice ? (
              <Die value={Number(cell)} size="small" />
            ) : (
              <span className={styles.text}>{text}</span>
            )}
            {price !== undefined && (
              <span className={styles.odds}>{formatOdds(price, i18n.locale)}</span>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** Formats odds without trailing zeros. */
export function formatOdds(odds: string, language: string): string {
  const [whole = '', fraction = ''] = odds.split('.');
  const decimals = fraction.replace(/0+$/, '');
  const pattern = decimals ? `#,##0.${'0'.repeat(decimals.length)}` : '#,##0';
  return formatNumber(decimals ? `${whole}.${decimals}` : whole, { pattern, language });
}
