import { useCallback, useRef, useState } from 'react';

import { describeError, errorOfThrown, type ApiError } from '../../i18n/api-error.ts';

export type SubmitOptions<Body, Result> = {
  send: (body: Body, key: string) => Promise<Result>;
  onDone: (result: Result, body: Body) => unknown;
  /** The part of the body that makes two requests the same. Leave out secrets, such as a payment password. Default: all of it. */
  contentOf?: (body: Body) => unknown;
  /** The form's fields. A server error that names one of them belongs to that field. */
  fields?: readonly string[] | undefined;
};

export type Submission<Body> = {
  submit: (body: Body) => Promise<void>;
  busy: boolean;
  /** The server's error, unless it belongs to a field. */
  error: string;
  errorsOf: (field: string) => readonly string[];
  clearErrors: () => void;
};

type Attempt = {
  key: string;
  content: string;
  /** A request with this key got no answer, so the server may have accepted it. */
  isOpen: boolean;
};

/** The second tap of a double tap may come after the response, before the screen has changed. */
const doubleTapMs = 300;

/**
 * Submits a form that must take effect at most once. Ignores submits while a request is running, and shortly after a success. A retry of the same body reuses
 * its idempotency key until the server has decided.
 */
export function useSubmit<Body, Result>(options: SubmitOptions<Body, Result>): Submission<Body> {
  const { send, onDone, contentOf, fields = [] } = options;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const running = useRef(false);
  const attempt = useRef<Attempt | null>(null);

  function release(): void {
    running.current = false;
  }

  async function submit(body: Body): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFailure(null);
    const content = JSON.stringify(contentOf ? contentOf(body) : body);
    const current =
      attempt.current?.content === content
        ? attempt.current
        : { key: crypto.randomUUID(), content, isOpen: false };
    attempt.current = current;
    try {
      const result = await send(body, current.key);
      await onDone(result, body);
      attempt.current = null;
      setTimeout(release, doubleTapMs);
    } catch (thrown) {
      const error = errorOfThrown(thrown);
      if (!isDefinite(error)) current.isOpen = true;
      // An earlier request with this key may have succeeded.
      else if (!current.isOpen) attempt.current = null;
      setFailure(error);
      release();
    } finally {
      setBusy(false);
    }
  }

  const field = failure?.field && fields.includes(failure.field) ? failure.field : undefined;
  return {
    submit,
    busy,
    error: failure && !field ? describeError(failure) : '',
    errorsOf: (name) => (failure && name === field ? [describeError(failure)] : []),
    clearErrors: useCallback(() => setFailure(null), []),
  };
}

/** Reports whether the server has decided. A lost connection or a server error leaves the outcome open. */
const isDefinite = (error: ApiError): boolean => error.status >= 400 && error.status < 500;
