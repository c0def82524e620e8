import { useLingui } from '@lingui/react/macro';

/** Returns a function that names a group of games. Regions are named in the member's language. */
export function useGroupNames() {
  const { t } = useLingui();
  const regions: Readonly<Record<string, string>> = {
    '1': t`North`,
    '2': t`Central`,
    '3': t`South`,
  };
  return (id: string, menus: readonly { gameGroupId: string; name: string }[] | undefined) =>
    regions[id] ?? menus?.find(({ gameGroupId }) => gameGroupId === id)?.name ?? '';
}
