import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

import { describeError } from '../server/errors.ts';
import { ServerError } from '../server/request.ts';
import { FailedState, LoadingState, MessageState } from '../states.tsx';

type DetailProps<T> = {
  query: {
    data: T | undefined;
    error: Error | null;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  children: (value: T) => ReactNode;
};

/** Shows an object, or the reason why it cannot be shown. Data that was loaded before stays visible after an error. */
export function Detail<T>({ query, children }: DetailProps<T>) {
  const { t } = useLingui();
  const { data, error, isFetching, refetch } = query;
  if (error instanceof ServerError && error.status === 404)
    return <MessageState icon="empty" text={t`This does not exist, or it was removed.`} />;
  const retry = () => void refetch();
  if (data === undefined)
    return error ? (
      <FailedState error={error} busy={isFetching} onRetry={retry} />
    ) : (
      <LoadingState />
    );
  return (
    <>
      {error && (
        <Alert color="red" role="alert" mb="md">
          <Group justify="space-between">
            {describeError(error)}
            <Button variant="default" size="xs" loading={isFetching} onClick={retry}>
              {t`Try again`}
            </Button>
          </Group>
        </Alert>
      )}
      {children(data)}
    </>
  );
}
