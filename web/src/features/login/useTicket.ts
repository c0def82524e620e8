import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import { storeTicket } from '../../api/external-login.ts';
import { logIn } from '../../api/login.ts';
import { currentSession, isRealAccount } from '../../api/session.ts';
import { ApiError, describeError, errorOfThrown } from '../../i18n/api-error.ts';
import { navigate, ownPath, useAddressQuery } from '../../lib/router.tsx';

/**
 * What somebody brings who comes back from another service: a ticket, which leaves the address at once and logs in, or
 * the word that nothing came of it. Whoever is no member yet is led on to agree to become one.
 */
export function useTicket(): { arriving: boolean; failure: string } {
  const cache = useQueryClient();
  const query = useAddressQuery();
  const [brought] = useState(() => ({
    ticket: query.get('ticket'),
    failed: query.get('outside') === 'failed',
    target: ownPath(query.get('return')) ?? '',
    back: backOf(query.get('return')),
  }));
  const [arriving, setArriving] = useState(brought.ticket !== null);
  const [failure, setFailure] = useState<ApiError | null>(
    brought.failed ? new ApiError('outside.failed', 422) : null,
  );

  const settle = useEffectEvent((refusal: ApiError | null) => {
    setArriving(false);
    const next = refusal?.args['ticket'];
    const unknown = refusal?.code === 'outside.register' && typeof next === 'string';
    if (unknown && isRealAccount(currentSession())) {
      // A member proves nothing by an account that is nobody's, and needs no second membership.
      setFailure(new ApiError('outside.failed', 422));
    } else if (unknown) {
      storeTicket(next);
      navigate(`/m/register${brought.back}`, { replace: true });
    } else {
      setFailure(refusal);
    }
  });

  useEffect(() => {
    const { ticket, failed, back, target } = brought;
    if (ticket === null && !failed) return;
    navigate(`/m/login${back}`, { replace: true });
    if (ticket !== null) void handIn(cache, ticket, target).then(settle);
  }, [brought, cache]);

  return { arriving, failure: failure ? describeError(failure) : '' };
}

const backOf = (path: string | null) =>
  path === null ? '' : `?return=${encodeURIComponent(path)}`;

/** Logs in by a ticket. Gives why not, if not. */
async function handIn(
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
