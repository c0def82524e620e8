// The record's filters are in its URL, so that back, reload and links restore them.
import { betStatuses, type BetFilter, type BetStatus } from '../../api/bets.ts';
import { dayMs, daysBack, rangeOfDays } from '../../lib/dates.ts';

export const periods = ['today', '7d', '30d', '92d', 'own'] as const;
export type Period = (typeof periods)[number];

export type RecordView = {
  period: Period;
  category: string;
  vendor: string;
  status: BetStatus;
  /** The days of a custom range, as date inputs have them. */
  from: string;
  to: string;
};

const recordHome = '/m/gameRecord';

const day = /^\d{4}-\d{2}-\d{2}$/;
const code = /^[\w-]{1,40}$/;

export function readRecord(query: URLSearchParams): RecordView {
  const fit = (name: string, form: RegExp) => {
    const text = query.get(name) ?? '';
    return form.test(text) ? text : '';
  };
  return {
    period: periods.find((period) => period === query.get('period')) ?? '7d',
    category: fit('category', code),
    vendor: fit('vendor', code),
    status: betStatuses.find((status) => status === query.get('status')) ?? 'all',
    from: fit('from', day),
    to: fit('to', day),
  };
}

export function recordPath({ period, category, vendor, status, from, to }: RecordView): string {
  const query = new URLSearchParams();
  if (period !== '7d') query.set('period', period);
  if (category) query.set('category', category);
  if (vendor) query.set('vendor', vendor);
  if (status !== 'all') query.set('status', status);
  if (period === 'own' && from) query.set('from', from);
  if (period === 'own' && to) query.set('to', to);
  const text = query.toString();
  return text ? `${recordHome}?${text}` : recordHome;
}

/** The record goes back this many days. */
const maxDays = 92;

const periodDays: Readonly<Record<Exclude<Period, 'own'>, number>> = {
  today: 0,
  '7d': 6,
  '30d': 29,
  '92d': 91,
};

/** Returns null while a custom range is incomplete, reversed or too long. */
export function filterOf(view: RecordView, now: number): BetFilter | null {
  const { category, vendor, status } = view;
  const range =
    view.period === 'own'
      ? rangeOfDays(view.from, view.to, maxDays)
      : daysBack(periodDays[view.period], now);
  if (!range) return null;
  // A period with a day of 25 hours is longer than the server allows.
  const from = Math.max(range.from, range.to - maxDays * dayMs);
  return { category, vendor, status, from, to: range.to };
}
