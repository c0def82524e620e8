import { useQueryClient } from '@tanstack/react-query';

import { memberKey } from '../../api/member.ts';
import { describeError } from '../../i18n/api-error.ts';
import { toast } from '../../ui/toastStore.ts';
import type { Games } from './useGames.ts';

/** Loads anew what a list shows, with the member's own stars and games. What is there stays if that fails. */
export function useRefresh({ refresh }: Pick<Games, 'refresh'>): () => Promise<void> {
  const cache = useQueryClient();
  return async () => {
    const [{ error }] = await Promise.all([
      refresh(),
      cache.invalidateQueries({ queryKey: memberKey }),
    ]);
    if (error) toast.error(describeError(error));
  };
}
