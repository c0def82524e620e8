import { useLingui } from '@lingui/react/macro';
import { Button, FileButton, Group, Image, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { describeError } from '../../../server/errors.ts';
import { upload } from '../../../server/request.ts';

type PictureInputProps = { label: string; value: string; onChange: (url: string) => void };

/** An input for the URL of a picture. Uploading a file replaces the URL. */
export function PictureInput({ label, value, onChange }: PictureInputProps) {
  const { t } = useLingui();
  const uploadMutation = useMutation<{ address: string }, Error, File>({
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
          error={uploadMutation.error && describeError(uploadMutation.error)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => file && uploadMutation.mutate(file)}
          inputProps={{ 'aria-label': t`Upload: ${label}` }}
        >
          {(props) => (
            <Button variant="default" loading={uploadMutation.isPending} {...props}>
              {t`Upload`}
            </Button>
          )}
        </FileButton>
      </Group>
      {value && <Image src={value} alt="" mah={80} w="auto" mt="xs" radius="sm" />}
    </div>
  );
}
