import { useLingui } from '@lingui/react/macro';
import { NavLink, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';

import {
  destinationOf,
  groupLabels,
  type Destination,
  type Group as GroupName,
} from '../destinations.ts';
import { Icon } from '../Icon.tsx';

import styles from './Navigation.module.css';

type NavigationProps = { destinations: readonly Destination[]; onGo: () => void };

export function Navigation({ destinations, onGo }: NavigationProps) {
  const { i18n } = useLingui();
  const [path] = useLocation();
  const current = destinationOf(path);
  return (
    <>
      {(Object.keys(groupLabels) as GroupName[]).map((group) => {
        const label = groupLabels[group];
        const members = destinations.filter((each) => each.group === group);
        if (members.length === 0) return null;
        return (
          <div key={group} className={styles.group}>
            {label && (
              <Text size="xs" c="dimmed" px="sm" py={6}>
                {i18n._(label)}
              </Text>
            )}
            {members.map((each) => (
              <NavLink
                key={each.path}
                component={Link}
                href={each.path}
                active={each === current}
                aria-current={each === current ? 'page' : undefined}
                label={i18n._(each.label)}
                leftSection={<Icon name={each.icon} />}
                className={styles.link}
                onClick={onGo}
              />
            ))}
          </div>
        );
      })}
    </>
  );
}
