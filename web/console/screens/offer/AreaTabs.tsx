import { Anchor, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';

type AreaTabsProps = { label: string; tabs: readonly { path: string; label: string }[] };

/** Links between the lists of one area. */
export function AreaTabs({ label, tabs }: AreaTabsProps) {
  const [path] = useLocation();
  return (
    <Group component="nav" aria-label={label} gap="lg" mb="md">
      {tabs.map((tab) => (
        <Anchor
          key={tab.path}
          component={Link}
          href={tab.path}
          fw={path === tab.path ? 700 : 400}
          underline={path === tab.path ? 'always' : 'hover'}
          aria-current={path === tab.path ? 'page' : undefined}
        >
          {tab.label}
        </Anchor>
      ))}
    </Group>
  );
}
