import { useLingui } from '@lingui/react/macro';
import { Badge, NavLink, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

import {
  destinationOf,
  groupLabels,
  type Destination,
  type Group as GroupName,
} from '../destinations.ts';
import { Icon } from '../Icon.tsx';
import { maxCount, useQueueCounts } from './queueCounts.ts';

import styles from './Navigation.module.css';

type NavigationProps = { destinations: readonly Destination[]; onNavigate: () => void };

export function Navigation({ destinations, onNavigate }: NavigationProps) {
  const { i18n } = useLingui();
  const [path] = useLocation();
  const current = destinationOf(path);
  const counts = useQueueCounts();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div ref={list}>
      {(Object.keys(groupLabels) as GroupName[]).map((group) => {
        const label = groupLabels[group];
        const groupDestinations = destinations.filter((destination) => destination.group === group);
        if (groupDestinations.length === 0) return null;
        return (
          <div key={group} className={styles.group}>
            {label && (
              <Text size="xs" c="dimmed" px="sm" py={6}>
                {i18n._(label)}
              </Text>
            )}
            {groupDestinations.map((destination) => (
              <NavLink
                key={destination.path}
                component={Link}
                href={destination.path}
                active={destination === current}
                aria-current={destination === current ? 'page' : undefined}
                label={i18n._(destination.label)}
                leftSection={<Icon name={destination.icon} />}
                rightSection={<Count value={counts.get(destination.path) ?? 0} />}
                className={styles.link}
                onClick={onNavigate}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** The number of open tasks. */
function Count({ value }: { value: number }) {
  if (value === 0) return null;
  return <Badge color="red">{value > maxCount ? `${maxCount}+` : value}</Badge>;
}
