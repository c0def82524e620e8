import { useQuery } from '@tanstack/react-query';

import { sessionQuery } from './queries.ts';

/** Reports whether the operator who is logged in has a permission. */
export function useCan(permission: string): boolean {
  const { data } = useQuery({ ...sessionQuery, enabled: false });
  return data?.permissions.includes(permission) ?? false;
}
