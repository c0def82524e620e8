import { useLingui } from '@lingui/react/macro';

import type { CheckIn } from '../../api/loyalty.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { monthDays, shiftMonth, weekdays } from './month.ts';

import styles from './CheckInScreen.module.css';

type CalendarProps = { checkIn: CheckIn; onMonth: (month: string) => void };

/** A month with the days of check-ins. The server names the days, so no time zone is needed here. */
export function Calendar({ checkIn, onMonth }: CalendarProps) {
  const { t, i18n } = useLingui();
  const { month, today } = checkIn;
  const dates = new Set(checkIn.dates ?? []);
  const { blanks, days } = monthDays(month);
  const first = days.find((day) => dates.has(day)) ?? today;
  const past = days.filter((day) => day > first && day < today);
  const missed = past.filter((day) => !dates.has(day)).length;
  const name = new Date(`${month}-01T00:00:00Z`).toLocaleDateString(i18n.locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const isCurrent = month === today.slice(0, 7);
  return (
    <section className={styles.calendar} aria-label={name}>
      <div className={styles.month}>
        <IconButton
          icon="caret-left"
          label={t`Previous month`}
          onPress={() => onMonth(shiftMonth(month, -1))}
        />
        <h3>{name}</h3>
        <IconButton
          icon="caret-right"
          label={t`Next month`}
          disabled={isCurrent}
          onPress={() => onMonth(shiftMonth(month, 1))}
        />
      </div>
      <div className={styles.weekdays} aria-hidden="true">
        {weekdays(i18n.locale).map((weekday) => (
          <span key={weekday}>{weekday}</span>
        ))}
      </div>
      <ol className={styles.grid}>
        {days.map((day, index) => {
          const number = index + 1;
          return (
            <li
              key={day}
              style={index === 0 ? { gridColumnStart: blanks + 1 } : undefined}
              aria-label={dates.has(day) ? t({ message: `${number}: checked in` }) : undefined}
              data-state={stateOf(day, { first, today, dates })}
              aria-current={day === today ? 'date' : undefined}
            >
              {number}
            </li>
          );
        })}
      </ol>
      <p className={styles.legend}>
        <span data-state="done">{t({ message: `Checked in: ${dates.size}` })}</span>
        {dates.size > 0 && <span data-state="missed">{t({ message: `Missed: ${missed}` })}</span>}
      </p>
    </section>
  );
}

type Span = { first: string; today: string; dates: ReadonlySet<string> };

/** Days before the first check-in of the month are not missed: the member may be new. */
function stateOf(day: string, { first, today, dates }: Span): string {
  if (dates.has(day)) return 'done';
  if (day === today) return 'today';
  return day > first && day < today ? 'missed' : 'other';
}
