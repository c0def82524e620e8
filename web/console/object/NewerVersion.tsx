import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Group } from '@mantine/core';

/** Warns that a draft is older than the stored object, and offers to load the newer version. */
export function NewerVersion({ onLoad }: { onLoad: () => void }) {
  const { t } = useLingui();
  return (
    <Alert color="yellow" role="alert">
      <Group justify="space-between">
        {t`Someone has saved a newer version.`}
        <Button variant="default" size="xs" onClick={onLoad}>
          {t`Show the newer version`}
        </Button>
      </Group>
    </Alert>
  );
}
