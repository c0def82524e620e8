import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { depositsKey, uploadProof } from '../../api/deposits.ts';
import { uprightPicture } from '../../lib/upright-picture.ts';
import { Button } from '../../ui/Button.tsx';
import { FileUpload } from '../../ui/form/FileUpload.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './DepositOrder.module.css';

const accept = ['image/png', 'image/jpeg', 'image/webp'];
const maxBytes = 5 * 1024 * 1024;

export type ProofSheetProps = { id: string; open: boolean; onClose: () => void };

/** Uploads a picture of the payment. */
export function ProofSheet({ id, open, onClose }: ProofSheetProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [files, setFiles] = useState<File[]>([]);
  const [progress, setProgress] = useState<number>();
  const [file] = files;
  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    fields: ['image'],
    // The size and the time distinguish two pictures for the idempotency key.
    send: async (_: { name: string; size: number; at: number }, idempotencyKey) => {
      if (!file) return;
      await uploadProof(id, await uprightPicture(file), {
        idempotencyKey,
        onProgress: setProgress,
      });
    },
    onDone: async () => {
      toast.success(t`We check your payment now`);
      setFiles([]);
      onClose();
      await cache.invalidateQueries({ queryKey: depositsKey });
    },
  });

  async function send(): Promise<void> {
    if (!file) return;
    await submit({ name: file.name, size: file.size, at: file.lastModified });
    setProgress(undefined);
  }

  return (
    <Sheet open={open} onClose={onClose} title={t`Show us your payment`}>
      <div className={styles.proof}>
        <p className={styles.label}>
          {t`A screenshot from your bank's app with the time, the amount and the note.`}
        </p>
        <FileUpload
          label={t`Picture of the payment`}
          files={files}
          onChange={(next) => {
            setFiles(next);
            clearErrors();
          }}
          accept={accept}
          maxFiles={1}
          maxBytes={maxBytes}
          errors={errorsOf('image')}
          hint={t`PNG, JPEG or WebP, at most 5 MB`}
          progress={progress}
          disabled={busy}
        />
        {error && <FormError text={error} />}
        <Button full busy={busy} disabled={!file} onPress={() => void send()}>
          {t`Send the picture`}
        </Button>
      </div>
    </Sheet>
  );
}
