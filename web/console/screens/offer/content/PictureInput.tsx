import { useLingui } from '@lingui/react/macro';
import { Button, FileButton, Group, Image, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { describeError } from '../../../server/errors.ts';
import { upload } from '../../../server/request.ts';

type PictureInputProps = { label: string; value: string; onChange: (address: string) => void };

/** The address of a picture. A file is uploaded and replaces it. */
export function PictureInput({ label, value, onChange }: PictureInputProps) {
  const { t } = useLingui();
  const sending = useMutation<{ address: string }, Error, File>({
    mutationFn: (file) => upload('/ops/v1/pictures', file),
    onSuccess: ({ address }) => onChange(address),
  });
  return (
    <div>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          value={value}
          error={sending.error && describeError(sending.error)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => file && sending.mutate(file)}
          inputProps={{ 'aria-label': t`Upload: ${label}` }}
        >
          {(props) => (
            <Button variant="default" loading={sending.isPending} {...props}>
              {t`Upload`}
            </Button>
          )}
        </FileButton>
      </Group>
      {value && <Image src={value} alt="" mah={80} w="auto" mt="xs" radius="sm" />}
    </div>
  );
}
