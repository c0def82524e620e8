import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { betStatuses, type BetStatus } from '../../api/bets.ts';
import * as categoryCode from '../../api/categories.gen.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { periods, type Period, type RecordView } from './filter-url.ts';

import styles from './Filters.module.css';

export type FiltersProps = {
  view: RecordView;
  onChange: (view: RecordView) => void;
  /** The custom range is incomplete, reversed or too long. */
  isRangeInvalid: boolean;
};

/** Uses native menus, which work best on phones. */
export function Filters({ view, onChange, isRangeInvalid }: FiltersProps) {
  const { t } = useLingui();
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const hasBothDays = view.from !== '' && view.to !== '';
  const spans: Record<Period, string> = {
    today: t`Today`,
    '7d': t`7 days`,
    '30d': t`30 days`,
    '92d': t`92 days`,
    own: t`Own range`,
  };
  const results: Record<BetStatus, string> = {
    all: t`Any result`,
    open: t`Running`,
    won: t({ message: 'Won', context: 'round' }),
    lost: t({ message: 'Not won', context: 'round' }),
    refunded: t({ message: 'Refunded', context: 'round' }),
    promo: t`Promotion`,
  };
  const kinds: [string, string][] = [
    ['', t`All games`],
    [categoryCode.slots, t`Slots`],
    [categoryCode.jl, t`JL`],
    [categoryCode.fishing, t`Fishing`],
    [categoryCode.live, t`Live`],
    [categoryCode.cards, t`Card games`],
    [categoryCode.sports, t`Sports`],
    [categoryCode.esports, t`Esports`],
    [categoryCode.lottery, t`Lottery`],
    [categoryCode.fastLottery, t`Fast lottery`],
  ];
  return (
    <div className={styles.filters}>
      <div className={styles.row} role="group" aria-label={t`Filter`}>
        <Menu
          label={t`Period`}
          value={view.period}
          options={periods.map((period) => [period, spans[period]])}
          onChange={(value) =>
            onChange({ ...view, period: periods.find((each) => each === value) ?? '7d' })
          }
          chosen
          calendar
        />
        <Menu
          label={t`Category`}
          value={view.category}
          options={kinds}
          onChange={(category) => onChange({ ...view, category })}
          chosen={view.category !== ''}
        />
        <Menu
          label={t`Provider`}
          value={view.vendor}
          options={[
            ['', t`All providers`],
            ...vendors.map(({ code, name }): [string, string] => [code, name]),
          ]}
          onChange={(vendor) => onChange({ ...view, vendor })}
          chosen={view.vendor !== ''}
        />
        <Menu
          label={t`Result`}
          value={view.status}
          options={betStatuses.map((status) => [status, results[status]])}
          onChange={(value) =>
            onChange({ ...view, status: betStatuses.find((each) => each === value) ?? 'all' })
          }
          chosen={view.status !== 'all'}
        />
      </div>
      {view.period === 'own' && (
        <>
          <div className={styles.days}>
            <label className={styles.day}>
              {t`From`}
              <input
                type="date"
                name="from"
                value={view.from}
                onChange={(event) => onChange({ ...view, from: event.target.value })}
              />
            </label>
            <label className={styles.day}>
              {t`To`}
              <input
                type="date"
                name="to"
                value={view.to}
                onChange={(event) => onChange({ ...view, to: event.target.value })}
              />
            </label>
          </div>
          {isRangeInvalid && (
            <p role="status" className={cx(styles.note, hasBothDays && styles.wrong)}>
              {hasBothDays && view.from > view.to
                ? t`The first day comes after the last.`
                : t`Choose both days, at most 92 days apart.`}
            </p>
          )}
        </>
      )}
    </div>
  );
}

type MenuProps = {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
  chosen: boolean;
  calendar?: boolean;
};

function Menu({ label, value, options, onChange, chosen, calendar }: MenuProps) {
  // The URL may hold another value. It is shown, so that the member can change it.
  const all = options.some(([each]) => each === value) ? options : [...options, [value, value]];
  return (
    <label className={styles.menu}>
      <span className={cx(styles.face, chosen && styles.chosen)}>
        {calendar && <Icon name="calendar-blank" size={18} />}
        {all.find(([each]) => each === value)?.[1]}
        <Icon name="caret-down" size={14} />
      </span>
      <select
        aria-label={label}
        value={value}
        className={styles.select}
        onChange={(event) => onChange(event.target.value)}
      >
        {all.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
