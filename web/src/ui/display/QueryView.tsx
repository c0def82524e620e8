import { useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { ErrorRetry } from '../ErrorRetry.tsx';

export type QueryViewProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching'> & {
    refetch: () => Promise<unknown>;
  };
  /** Has the size of the content. Without it, nothing is rendered while the query loads. */
  skeleton?: ReactNode;
  /** If null, nothing is rendered for empty data. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
  className?: string | undefined;
  /** Replaces className on the error. */
  errorClass?: string | undefined;
};

/** Shows a query as loading, failed with a retry, empty or loaded. Loaded data stays while it is refreshed and when that fails. */
export function QueryView<T>(props: QueryViewProps<T>) {
  const { query, skeleton, empty, isEmpty, children, className, errorClass } = props;
  const { t } = useLingui();
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) {
    const showsEmpty = empty !== undefined && isEmpty?.(data);
    if (showsEmpty && empty === null) return null;
    return <div className={className}>{showsEmpty ? empty : children(data)}</div>;
  }
  if (error && !isFetching) {
    return (
      <ErrorRetry
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={() => refetch()}
        className={errorClass ?? className}
      />
    );
  }
  if (skeleton === undefined) return null;
  return (
    <div role="status" aria-label={t`Loading`} aria-busy="true" className={className}>
      {skeleton}
    </div>
  );
}
