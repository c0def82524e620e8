import { useLingui } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';

import { formatDay } from '../../format.ts';

import styles from './DayChart.module.css';

type Series = {
  label: string;
  tone: 'first' | 'second';
  valueOf: (index: number) => number;
};

type DayChartProps = {
  label: string;
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
};

const height = 120;
const dayWidth = 12;

/** Bars of one or two values per day. Screen readers read each bar as text. */
export function DayChart({ label, days, series, format }: DayChartProps) {
  const { t } = useLingui();
  const values = series.flatMap(({ valueOf }) => days.map((_, index) => valueOf(index)));
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const scale = height / (top - bottom || 1);
  const barWidth = dayWidth / series.length - 1;
  return (
    <figure className={styles.figure}>
      <figcaption>
        <Group justify="space-between">
          <Text fw={700}>{label}</Text>
          <Text size="sm" c="dimmed">{t`Highest: ${format(top)}`}</Text>
        </Group>
        {series.length > 1 && (
          <Group gap="md">
            {series.map((item) => (
              <Text key={item.label} size="sm" className={styles[`${item.tone}Key`]}>
                {item.label}
              </Text>
            ))}
          </Group>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * dayWidth} ${height}`}
        preserveAspectRatio="none"
        className={styles.chart}
        role="img"
        aria-label={label}
      >
        {series.map(({ label: name, tone, valueOf }, seriesIndex) =>
          days.map((day, index) => {
            const value = valueOf(index);
            return (
              <rect
                key={`${name}${day}`}
                className={styles[tone]}
                x={index * dayWidth + seriesIndex * (dayWidth / series.length)}
                width={barWidth}
                y={(top - Math.max(value, 0)) * scale}
                height={Math.max(Math.abs(value) * scale, value === 0 ? 0 : 1)}
              >
                <title>{`${formatDay(day)}: ${name} ${format(value)}`}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {formatDay(days[0])}
        </Text>
        <Text size="xs" c="dimmed">
          {formatDay(days.at(-1))}
        </Text>
      </Group>
    </figure>
  );
}
