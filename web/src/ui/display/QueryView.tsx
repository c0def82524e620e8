import { useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { ErrorRetry } from '../ErrorRetry.tsx';

export type QueryViewProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** Shown while loading: skeletons with the size of the content. */
  skeleton: ReactNode;
  /** Shown instead of the content when `isEmpty` holds. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
  className?: string | undefined;
};

/**
 * Shows a query in each of its states: loading, failed (with a retry), offline, empty, loaded. Data that was loaded once stays while
 * it is refreshed, and when a refresh fails.
 */
export function QueryView<T>(props: QueryViewProps<T>) {
  const { query, skeleton, empty, isEmpty, children, className } = props;
  const { t } = useLingui();
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) {
    const nothing = empty !== undefined && isEmpty?.(data);
    return <div className={className}>{nothing ? empty : children(data)}</div>;
  }
  if (error && !isFetching) {
    return (
      <ErrorRetry
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={() => refetch()}
        className={className}
      />
    );
  }
  return (
    <div role="status" aria-label={t`Loading`} aria-busy="true" className={className}>
      {skeleton}
    </div>
  );
}
