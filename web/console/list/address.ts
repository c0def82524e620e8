// The state of a list in the URL: filters, sort order, page size and cursor.
import { navigate, useHistoryState, useSearch } from 'wouter/use-browser-location';

import type { Query } from '../server/request.ts';

export const pageSizes = ['25', '50', '100'] as const;

export type FilterKind = 'text' | 'choice' | 'date';

export type ListAddress = {
  /** The values of all filters. A filter that is not set is an empty text. */
  filters: Query;
  /** The chosen sort order, or an empty text for the default. */
  sort: string;
  pageSize: string;
  cursor: string;
  /** The page number, or null when a URL with a cursor was opened directly. */
  page: number | null;
  setFilter: (name: string, value: string) => void;
  clearFilters: () => void;
  setSort: (sort: string) => void;
  setPageSize: (size: string) => void;
  openNext: (cursor: string) => void;
  openFirst: () => void;
};

type PageState = { listPage?: number };

export function useListAddress(
  filterNames: readonly string[],
  sorts: readonly string[] = [],
): ListAddress {
  const params = new URLSearchParams(useSearch());
  const state = useHistoryState<PageState | null>();
  const cursor = params.get('cursor') ?? '';
  const size = params.get('pageSize') ?? '';

  const page = cursor ? (state?.listPage ?? null) : 1;
  return {
    filters: Object.fromEntries(filterNames.map((name) => [name, params.get(name) ?? ''])),
    sort: sorts.find((sort) => sort === params.get('sort')) ?? '',
    pageSize: pageSizes.find((pageSize) => pageSize === size) ?? pageSizes[0],
    cursor,
    page,
    setFilter: (name, value) => updateParams({ [name]: value }),
    clearFilters: () => updateParams(Object.fromEntries(filterNames.map((name) => [name, '']))),
    setSort: (sort) => updateParams({ sort: sort === sorts[0] ? '' : sort }),
    setPageSize: (pageSize) => updateParams({ pageSize }),
    openNext(nextCursor) {
      const next = new URLSearchParams(location.search);
      next.set('cursor', nextCursor);
      navigateTo(next, page === null ? {} : { state: { listPage: page + 1 } });
    },
    openFirst: () => updateParams({}),
  };
}

/** Changes parameters in the URL and opens the first page, without a new entry in the browser history. */
function updateParams(changes: Query): void {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ cursor: '', ...changes })) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  navigateTo(next, { replace: true });
}

function navigateTo(
  params: URLSearchParams,
  options: { replace?: boolean; state?: PageState },
): void {
  const search = params.toString();
  navigate(location.pathname + (search && `?${search}`), options);
}

type Request = Pick<ListAddress, 'filters' | 'sort'> & { dateFilters: readonly string[] };

/** Returns the query parameters of a list request. Dates become Unix milliseconds: `to` is the end of its day, all others the start. */
export function requestQuery({ filters, sort, dateFilters }: Request): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters)) {
    const sentValue = dateFilters.includes(name) ? timeOfDate(value, name === 'to') : value;
    if (sentValue) query[name] = sentValue;
  }
  if (sort) query.sort = sort;
  return query;
}

function timeOfDate(date: string, isEndOfDay: boolean): string {
  const day = new Date(`${date}T00:00`);
  if (isEndOfDay) day.setDate(day.getDate() + 1);
  return Number.isNaN(day.getTime()) ? '' : String(day.getTime());
}
