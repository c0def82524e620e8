import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';

export type Key = { code: string; keyId: string; key: string };

/** Shows a new key, once. */
export function NewKey({ value, onClose }: { value: Key | null; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Modal opened={value !== null} onClose={onClose} title={t`New key`} closeOnClickOutside={false}>
      {value && (
        <Stack>
          <Alert color="yellow">{t`Copy the key now. It is not shown again.`}</Alert>
          <div>
            {t`Key id`}: <Code>{value.keyId}</Code>
          </div>
          <Code block>{value.key}</Code>
          <Group justify="end">
            <CopyButton value={value.key}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? t`Copied` : t`Copy`}
                </Button>
              )}
            </CopyButton>
            <Button onClick={onClose}>{t`I have stored it`}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
