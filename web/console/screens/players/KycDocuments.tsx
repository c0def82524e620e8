import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Image, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';

import { useBlobAddress } from '../../../src/lib/blob-address.ts';
import { askForCode } from '../../action/confirmation.ts';
import { describeError } from '../../server/errors.ts';
import { requestFile, ServerError } from '../../server/request.ts';

type KycDocumentsProps = { path: string; count: number };

/** The pictures of a document. A picture is loaded only when it is clicked, because the server records who sees it. */
export function KycDocuments({ path, count }: KycDocumentsProps) {
  const { t } = useLingui();
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h4">{t`Documents`}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {count > 0 ? t`Each view is recorded in the audit log.` : t`The pictures were deleted.`}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {Array.from({ length: count }, (_, index) => (
          <Document key={index} path={path} number={index + 1} />
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function Document({ path, number }: { path: string; number: number }) {
  const { t } = useLingui();
  const [picture, setPicture] = useState<Blob>();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [quarterTurns, setQuarterTurns] = useState(0);
  const url = useBlobAddress(picture);

  async function open(): Promise<void> {
    setIsBusy(true);
    setError(null);
    try {
      setPicture(await readConfirmed(`${path}/view`, { image: number }));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Stack gap="xs">
      {url && (
        <Image
          src={url}
          alt={t`Picture ${number} of the document`}
          fit="contain"
          mah={480}
          style={{ rotate: `${quarterTurns * 90}deg` }}
        />
      )}
      {error !== null && (
        <Alert color="red" role="alert">
          {describeError(error)}
        </Alert>
      )}
      <Group>
        {url ? (
          <>
            <Button variant="default" size="xs" onClick={() => setQuarterTurns((n) => (n + 1) % 4)}>
              {t`Turn picture ${number}`}
            </Button>
            <Button variant="default" size="xs" onClick={() => setPicture(undefined)}>
              {t`Hide picture ${number}`}
            </Button>
          </>
        ) : (
          <Button variant="default" loading={isBusy} onClick={() => void open()}>
            {t`Show picture ${number}`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

async function readConfirmed(path: string, body: object): Promise<Blob> {
  try {
    return await requestFile(path, body);
  } catch (thrown) {
    const needsCode = thrown instanceof ServerError && thrown.code === 'ops.confirm';
    if (!needsCode || !(await askForCode())) throw thrown;
    return requestFile(path, body);
  }
}
