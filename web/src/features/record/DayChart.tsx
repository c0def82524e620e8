import { useLingui } from '@lingui/react/macro';

import type { Currency } from '../../lib/currency.ts';
import { startOfDay } from '../../lib/dates.ts';
import { shortNumber } from '../../lib/short-number.ts';
import { Amount } from '../../ui/Amount.tsx';
import { roundUpForAxis, labelledDays, type Day } from './days.ts';

import styles from './DayChart.module.css';

const size = { width: 328, height: 156 } as const;
/** The plot area. Its margins hold the labels of the amounts and the days. */
const plot = { start: 42, end: 326, top: 8, bottom: 132 } as const;

const middle = (plot.top + plot.bottom) / 2;

type DayChartProps = { days: readonly Day[]; now: number; currency: Currency };

/** Wins, losses and net result by day, with a table for screen readers. */
export function DayChart({ days, now, currency }: DayChartProps) {
  const { t } = useLingui();
  return (
    <figure className={styles.chart} aria-label={t`Day by day`}>
      <Bars days={days} today={days.findIndex(({ start }) => start === startOfDay(now))} />
      <figcaption className={styles.legend} aria-hidden="true">
        <span className={styles.won}>{t`Won`}</span>
        <span className={styles.lost}>{t`Lost`}</span>
        <span className={styles.net}>{t`Net by day`}</span>
      </figcaption>
      <Table days={days} currency={currency} />
    </figure>
  );
}

function Bars({ days, today }: { days: readonly Day[]; today: number }) {
  const { i18n } = useLingui();
  const edge = roundUpForAxis(Math.max(...days.map(({ won, lost }) => Math.max(won, lost))));
  const isRtl = document.documentElement.dir === 'rtl';
  const band = (plot.end - plot.start) / days.length;
  const bar = Math.min(18, band * 0.64);
  // Time follows the writing direction.
  const across = (x: number) => (isRtl ? size.width - x : x);
  const centre = (i: number) => across(plot.start + band * (i + 0.5));
  const height = (amount: number) => (amount / edge) * (middle - plot.top - 4);
  const short = (amount: number) => shortNumber(amount, i18n.locale);
  const labelled = labelledDays(days.length);
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} className={styles.bars} aria-hidden="true">
      {today >= 0 && (
        <rect
          className={styles.today}
          x={centre(today) - Math.max(band, 6) / 2}
          y={2}
          width={Math.max(band, 6)}
          height={plot.bottom}
          rx={Math.min(6, band / 3)}
        />
      )}
      {[edge, 0, -edge].map((amount) => (
        <g key={amount}>
          <line
            className={amount === 0 ? styles.zero : styles.grid}
            x1={across(plot.start)}
            x2={across(plot.end)}
            y1={middle - height(amount)}
            y2={middle - height(amount)}
          />
          <text
            className={styles.amount}
            x={across(plot.start - 6)}
            y={middle - height(amount)}
            textAnchor={isRtl ? 'start' : 'end'}
            direction="ltr"
          >
            {short(amount)}
          </text>
        </g>
      ))}
      {days.map(({ start, won, lost }, i) => (
        <g key={start}>
          {won > 0 && (
            <rect
              className={styles.wonBar}
              x={centre(i) - bar / 2}
              y={middle - height(won)}
              width={bar}
              height={height(won)}
              rx={Math.min(3, bar / 3)}
            />
          )}
          {lost > 0 && (
            <rect
              className={styles.lostBar}
              x={centre(i) - bar / 2}
              y={middle}
              width={bar}
              height={height(lost)}
              rx={Math.min(3, bar / 3)}
            />
          )}
        </g>
      ))}
      {[styles.shade, styles.line].map((name) => (
        <polyline
          key={name}
          className={name}
          points={days.map(({ net }, i) => `${centre(i)},${middle - height(net)}`).join(' ')}
        />
      ))}
      {days.length <= 14 &&
        days.map(({ start, net }, i) => (
          <circle
            key={start}
            className={styles.dot}
            cx={centre(i)}
            cy={middle - height(net)}
            r={3.5}
          />
        ))}
      {labelled.map((i) => {
        const day = days[i];
        if (!day) return null;
        return (
          <text
            key={day.start}
            className={i === today ? styles.now : styles.day}
            x={centre(i)}
            y={size.height - 7}
            textAnchor="middle"
          >
            {dayLabel(day.start, days.length, i18n.locale)}
          </text>
        );
      })}
    </svg>
  );
}

/** Returns the weekday in a week's chart, otherwise the date. */
function dayLabel(start: number, count: number, locale: string): string {
  const options: Intl.DateTimeFormatOptions =
    count <= 7
      ? { weekday: locale === 'vi' ? 'narrow' : 'short' }
      : { day: 'numeric', month: 'numeric' };
  return new Intl.DateTimeFormat(locale, { ...options, numberingSystem: 'latn' }).format(start);
}

function Table({ days, currency }: { days: readonly Day[]; currency: Currency }) {
  const { t, i18n } = useLingui();
  const name = new Intl.DateTimeFormat(i18n.locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    numberingSystem: 'latn',
  });
  const played = days.filter(({ won, lost }) => won > 0 || lost > 0);
  return (
    <table className={styles.visuallyHidden}>
      <thead>
        <tr>
          <th scope="col">{t`Day`}</th>
          <th scope="col">{t`Won`}</th>
          <th scope="col">{t`Lost`}</th>
          <th scope="col">{t`Net by day`}</th>
        </tr>
      </thead>
      <tbody>
        {played.map(({ start, won, lost, net }) => (
          <tr key={start}>
            <th scope="row">{name.format(start)}</th>
            <td>
              <Amount value={won} currency={currency} />
            </td>
            <td>
              <Amount value={lost} currency={currency} />
            </td>
            <td>
              <Amount value={net} currency={currency} signed />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
