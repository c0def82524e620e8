import { useLingui } from '@lingui/react/macro';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useState } from 'react';
import { useLocation } from 'wouter';

import type { Destination } from '../destinations.ts';
import { Icon } from '../Icon.tsx';

/** Finds screens by their names, and members. */
export function Search({ destinations }: { destinations: readonly Destination[] }) {
  const { t, i18n } = useLingui();
  const [, navigate] = useLocation();
  const [query, setQuery] = useState('');
  const text = query.trim();
  const screens: SpotlightActionData[] = destinations.map(({ path, label, icon }) => ({
    id: path,
    label: i18n._(label),
    leftSection: <Icon name={icon} />,
    onClick: () => navigate(path),
  }));
  const canFindMembers = destinations.some(({ path }) => path === '/members');
  const members: SpotlightActionData[] =
    text && canFindMembers
      ? [
          {
            id: 'members',
            label: t`Find members: ${text}`,
            leftSection: <Icon name="search" />,
            onClick: () => navigate(`/members?q=${encodeURIComponent(text)}`),
          },
        ]
      : [];
  return (
    <Spotlight
      actions={[...screens, ...members]}
      query={query}
      onQueryChange={setQuery}
      nothingFound={t`Nothing found`}
      searchProps={{ placeholder: t`Search`, 'aria-label': t`Search` }}
    />
  );
}
