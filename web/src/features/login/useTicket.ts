import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import { storeTicket } from '../../api/external-login.ts';
import { logIn } from '../../api/login.ts';
import { currentSession, isRealAccount } from '../../api/session.ts';
import { ApiError, describeError, errorOfThrown } from '../../i18n/api-error.ts';
import { navigate, ownPath, useAddressQuery } from '../../lib/router.tsx';

/** Handles the return from another service: redeems its ticket, or reports its failure. New members go on to register. */
export function useTicket(): { arriving: boolean; failure: string } {
  const cache = useQueryClient();
  const query = useAddressQuery();
  const [arrival] = useState(() => ({
    ticket: query.get('ticket'),
    failed: query.get('outside') === 'failed',
    target: ownPath(query.get('return')) ?? '',
    back: backOf(query.get('return')),
  }));
  const [arriving, setArriving] = useState(arrival.ticket !== null);
  const [failure, setFailure] = useState<ApiError | null>(
    arrival.failed ? new ApiError('outside.failed', 422) : null,
  );

  const settle = useEffectEvent((refusal: ApiError | null) => {
    setArriving(false);
    const next = refusal?.args['ticket'];
    const isUnknownAccount = refusal?.code === 'outside.register' && typeof next === 'string';
    if (isUnknownAccount && isRealAccount(currentSession())) {
      // A member needs no second account, so an unknown account is a failure.
      setFailure(new ApiError('outside.failed', 422));
    } else if (isUnknownAccount) {
      storeTicket(next);
      navigate(`/m/register${arrival.back}`, { replace: true });
    } else {
      setFailure(refusal);
    }
  });

  useEffect(() => {
    const { ticket, failed, back, target } = arrival;
    if (ticket === null && !failed) return;
    navigate(`/m/login${back}`, { replace: true });
    if (ticket !== null) void redeem(cache, ticket, target).then(settle);
  }, [arrival, cache]);

  return { arriving, failure: failure ? describeError(failure) : '' };
}

const backOf = (path: string | null) =>
  path === null ? '' : `?return=${encodeURIComponent(path)}`;

/** Logs in with the ticket. Returns the error if that fails. */
async function redeem(
  cache: QueryClient,
  ticket: string,
  target: string,
): Promise<ApiError | null> {
  try {
    await logIn(cache, { type: 'outside', ticket }, target);
    return null;
  } catch (thrown) {
    return errorOfThrown(thrown);
  }
}
