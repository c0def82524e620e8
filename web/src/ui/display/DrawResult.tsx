import { useLingui } from '@lingui/react/macro';

import { cx } from '../../lib/cx.ts';

import styles from './DrawResult.module.css';

/** How a lottery draws. */
type DrawType = 'ssc' | 'k3' | 'pk10' | 'keno' | 'regional';

/** The pips of each face, as cells of a grid of nine. */
const pips: Readonly<Record<number, readonly number[]>> = {
  1: [4],
  2: [2, 6],
  3: [2, 4, 6],
  4: [0, 2, 6, 8],
  5: [0, 2, 4, 6, 8],
  6: [0, 2, 3, 5, 6, 8],
};

export function Die({ value, size }: { value: number; size?: 'small' }) {
  return (
    <span
      role="img"
      aria-label={String(value)}
      className={cx(styles.die, size && styles.small, (value === 1 || value === 4) && styles.red)}
    >
      {Array.from({ length: 9 }, (_, at) => (
        <span key={at} className={cx(pips[value]?.includes(at) && styles.pip)} />
      ))}
    </span>
  );
}

export type DrawResultProps = {
  type: DrawType;
  winNo: string;
  /** Shows the numbers one after another. */
  revealed?: boolean | undefined;
  small?: boolean | undefined;
};

/** The numbers of a draw, shown as in its game. */
export function DrawResult({ type, winNo, revealed, small }: DrawResultProps) {
  const numbers = winNo.split(',');
  return (
    <span
      dir="ltr"
      className={cx(
        styles.numbers,
        styles[type],
        small && styles.smallNumbers,
        revealed && styles.revealed,
      )}
    >
      {numbers.map((number, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- numbers repeat, and their places never change
        <span key={`${winNo}-${at}`} className={styles.place}>
          {type === 'k3' ? (
            <Die value={Number(number)} {...(small && { size: 'small' })} />
          ) : (
            <span className={styles.ball}>{number}</span>
          )}
        </span>
      ))}
    </span>
  );
}

/** Shows the total of dice or digits, and which side wins. */
export function DrawTotal({ type, winNo }: Pick<DrawResultProps, 'type' | 'winNo'>) {
  const { t } = useLingui();
  if (type !== 'k3' && type !== 'ssc') return null;
  const numbers = winNo.split(',').map(Number);
  const total = numbers.reduce((sum, number) => sum + number, 0);
  const isTriple = type === 'k3' && new Set(numbers).size === 1;
  const isBig = total >= (type === 'k3' ? 11 : 23);
  const side = isTriple ? t`Triple` : isBig ? t`Big` : t`Small`;
  return (
    <span className={styles.total}>
      <b>{total}</b>
      <span>
        {side}
        {!isTriple && ` · ${total % 2 === 1 ? t`Odd` : t`Even`}`}
      </span>
    </span>
  );
}

/** The prizes of regional draws in order. */
const prizeCodes = ['DB', 'G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7', 'G8'];

export function PrizeTable({ prizes }: { prizes: Readonly<Record<string, readonly string[]>> }) {
  const { t } = useLingui();
  return (
    <table className={styles.prizes}>
      <caption className={styles.visuallyHidden}>{t`Prizes`}</caption>
      <tbody>
        {prizeCodes
          .filter((code) => prizes[code])
          .map((code) => (
            <tr key={code} data-special={code === 'DB' || undefined}>
              <th scope="row">{code === 'DB' ? t`Special` : code}</th>
              <td dir="ltr">
                {prizes[code]?.map((number, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- numbers repeat, and their places never change
                  <span key={at} className={styles.prize}>
                    {number.slice(0, -2)}
                    <b>{number.slice(-2)}</b>
                  </span>
                ))}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
