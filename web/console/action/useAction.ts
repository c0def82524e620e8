import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

import { sessionQuery } from '../server/queries.ts';
import { request, ServerError } from '../server/request.ts';
import { askForCode } from './confirmation.ts';

export type Method = 'POST' | 'PUT' | 'DELETE';

/** A change that waits for a second person. */
export type WaitingApproval = { id: string; state: string };

export type ActionOptions<T> = { method?: Method; path: string; onDone?: (value: T) => void };

export type Action<T> = {
  /** Sends the request. If it fails, this resolves to undefined and `error` is set. */
  run: (body: object) => Promise<T | undefined>;
  error: Error | null;
  isBusy: boolean;
  /** The approval of the last request, while it waits for a second person. */
  approval: WaitingApproval | null;
  reset: () => void;
};

/**
 * Returns an action that changes data on the server. It asks for a code if the server requires one, then reloads lists and objects. A
 * retry of the same body reuses its idempotency key until the server has decided, so that it takes effect once.
 */
export function useAction<T>({ method = 'POST', path, onDone }: ActionOptions<T>): Action<T> {
  const queryClient = useQueryClient();
  const attempt = useRef<{ key: string; content: string } | null>(null);
  const mutation = useMutation<T, Error, object>({
    async mutationFn(body) {
      const content = JSON.stringify([method, path, body]);
      if (attempt.current?.content !== content)
        attempt.current = { key: crypto.randomUUID(), content };
      return sendConfirmed<T>(method, path, body, attempt.current.key);
    },
    onError(error) {
      if (isDecided(error)) attempt.current = null;
      // Shows the login above the form, which keeps its values.
      if (error instanceof ServerError && error.status === 401)
        void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    onSuccess(value) {
      attempt.current = null;
      for (const kind of ['list', 'object'])
        void queryClient.invalidateQueries({ queryKey: [kind] });
      onDone?.(value);
    },
  });
  return {
    run: (body) => mutation.mutateAsync(body).catch(() => undefined),
    error: mutation.error,
    isBusy: mutation.isPending,
    approval: waitingApproval(mutation.data),
    reset: mutation.reset,
  };
}

/** Reports whether the server has refused the request. A lost connection or a server error leaves the outcome open. */
const isDecided = (error: Error): boolean =>
  error instanceof ServerError && error.status >= 400 && error.status < 500;

async function sendConfirmed<T>(
  method: Method,
  path: string,
  body: object,
  key: string,
): Promise<T> {
  try {
    return await request<T>(method, path, { body, key });
  } catch (thrown) {
    const needsCode = thrown instanceof ServerError && thrown.code === 'ops.confirm';
    if (!needsCode || !(await askForCode())) throw thrown;
    return request<T>(method, path, { body, key });
  }
}

function waitingApproval(value: unknown): WaitingApproval | null {
  if (typeof value !== 'object' || value === null || !('approval' in value)) return null;
  const approval = value.approval as WaitingApproval | null | undefined;
  return approval?.state === 'waiting' ? approval : null;
}
