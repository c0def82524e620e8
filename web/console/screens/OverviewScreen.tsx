import { useLingui } from '@lingui/react/macro';
import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';

import { groupLabels, type Destination, type Group as GroupName } from '../destinations.ts';
import { Icon } from '../Icon.tsx';
import { useCan } from '../server/permissions.ts';
import { FiguresView } from './control/FiguresView.tsx';
import { FirstSteps } from './control/FirstSteps.tsx';

import styles from './OverviewScreen.module.css';

const groups: readonly GroupName[] = ['queues', 'manage', 'control'];

/** Links to the screens that the operator may open. */
export function OverviewScreen({ destinations }: { destinations: readonly Destination[] }) {
  const { i18n } = useLingui();
  const canRead = useCan('report.read');
  return (
    <Stack gap="lg">
      <FirstSteps />
      {canRead && <FiguresView />}
      {groups.map((group) => {
        const label = groupLabels[group];
        const groupDestinations = destinations.filter((destination) => destination.group === group);
        if (!label || groupDestinations.length === 0) return null;
        return (
          <section key={group}>
            <Title order={2} size="h5" mb="xs">
              {i18n._(label)}
            </Title>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
              {groupDestinations.map((destination) => (
                <Card
                  key={destination.path}
                  component={Link}
                  href={destination.path}
                  withBorder
                  className={styles.card}
                >
                  <Group wrap="nowrap">
                    <Icon name={destination.icon} size={22} />
                    <Text fw={700}>{i18n._(destination.label)}</Text>
                  </Group>
                </Card>
              ))}
            </SimpleGrid>
          </section>
        );
      })}
    </Stack>
  );
}
