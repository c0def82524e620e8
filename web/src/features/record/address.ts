// What the record shows stands in its address, so that a step back, a reload and a link find it again.
import { betStatuses, type BetFilter, type BetStatus } from '../../api/bets.ts';

export const periods = ['today', '7d', '30d', '92d', 'own'] as const;
export type Period = (typeof periods)[number];

export type RecordView = {
  period: Period;
  category: string;
  vendor: string;
  status: BetStatus;
  /** Days of a range of one's own, as date fields have them. */
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

const dayMs = 24 * 60 * 60_000;
/** The record goes back as far as this. */
const mostMs = 92 * dayMs;

const daysBack: Readonly<Record<Exclude<Period, 'own'>, number>> = {
  today: 0,
  '7d': 6,
  '30d': 29,
  '92d': 91,
};

/** Days are the reader's own. Null is a range that is not, or not yet, one: incomplete, turned round or too long. */
export function filterOf(view: RecordView, now: number): BetFilter | null {
  const { category, vendor, status } = view;
  const range = view.period === 'own' ? ownRange(view) : rangeBack(daysBack[view.period], now);
  return range && { category, vendor, status, ...range };
}

type Range = { from: number; to: number };

function rangeBack(days: number, now: number): Range {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  start.setDate(start.getDate() - days);
  const to = end.getTime() - 1;
  // A day of 25 hours may be among them.
  return { from: Math.max(start.getTime(), to - mostMs), to };
}

function ownRange({ from, to }: RecordView): Range | null {
  if (!from || !to) return null;
  const start = new Date(`${from}T00:00:00`).getTime();
  const end = new Date(`${to}T00:00:00`);
  end.setDate(end.getDate() + 1);
  const last = end.getTime() - 1;
  if (!(start <= last) || last - start > mostMs + dayMs / 24) return null;
  return { from: Math.max(start, last - mostMs), to: last };
}
