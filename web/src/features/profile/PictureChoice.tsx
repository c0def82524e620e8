import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ChangeEvent } from 'react';

import { choosePreset, headIconQuery, uploadPicture } from '../../api/profile.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Cropper } from '../../ui/form/Cropper.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './ProfilePicture.module.css';

/** Larger than any phone photo. A larger file would only slow down the phone. */
const maxBytes = 20 * 1024 * 1024;
const acceptedTypes = 'image/png,image/jpeg,image/webp';

export function PictureChoice({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const headIcon = useQuery(headIconQuery);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState('');

  async function save(target: string, change: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(target);
    setFailure(null);
    try {
      await change();
      toast.success(t`Changes saved`);
      onDone();
    } catch (thrown) {
      setFailure(thrown);
    } finally {
      setBusy('');
    }
  }

  function reject(code: string): void {
    setFile(null);
    setFailure(new ApiError(code, 400));
  }

  function chooseFile({ target }: ChangeEvent<HTMLInputElement>): void {
    const chosen = target.files?.[0];
    // Allows the same file to be chosen again.
    target.value = '';
    if (!chosen) return;
    setFailure(null);
    if (!acceptedTypes.split(',').includes(chosen.type)) reject('avatar.format');
    else if (chosen.size > maxBytes) reject('avatar.too_large');
    else setFile(chosen);
  }

  return (
    <div className={styles.choice}>
      <FormError text={failure === null ? '' : describeError(failure)} />
      {file ? (
        <Cropper
          picture={file}
          busy={busy === 'upload'}
          onCrop={(square) => void save('upload', () => uploadPicture(cache, square))}
          onUnreadable={() => reject('avatar.format')}
        />
      ) : (
        <QueryView
          query={headIcon}
          skeleton={
            <div className={styles.presets}>
              {Array.from({ length: 12 }, (_, i) => (
                <Skeleton key={i} shape="box" width={64} height={64} />
              ))}
            </div>
          }
        >
          {({ presets, current }) => (
            <ul className={styles.presets}>
              {presets.map(({ id, url }, at) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-label={t`Picture ${at + 1}`}
                    aria-pressed={url === current}
                    aria-busy={busy === id || undefined}
                    className={cx(styles.preset, busy === id && styles.sending)}
                    onClick={() => void save(id, () => choosePreset(cache, id))}
                  >
                    <Picture src={url} size={64} className={styles.face} />
                    {url === current && (
                      <span className={styles.mark}>
                        <Icon name="check-bold" size={12} />
                      </span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      )}
      <input
        ref={input}
        type="file"
        accept={acceptedTypes}
        hidden
        aria-label={t`Upload a picture`}
        onChange={chooseFile}
      />
      <Button
        variant="secondary"
        size="md"
        icon="camera"
        full
        onPress={() => input.current?.click()}
      >
        {file ? t`Another picture` : t`Upload a picture`}
      </Button>
    </div>
  );
}
