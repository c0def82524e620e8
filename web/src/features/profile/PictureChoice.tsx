import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ChangeEvent } from 'react';

import { choosePreset, headIconQuery, uploadPicture } from '../../api/profile.ts';
import { ApiError, describeError, wasAnswered } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Cropper } from '../../ui/form/Cropper.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './ProfilePicture.module.css';

/** Larger than any phone photo. A larger file would only slow down the phone. */
const largest = 20 * 1024 * 1024;
const accepted = 'image/png,image/jpeg,image/webp';

/** A preset, or a square of an uploaded picture. */
export function PictureChoice({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery(headIconQuery);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState('');

  async function save(what: string, change: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(what);
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

  function refuse(code: string): void {
    setFile(null);
    setFailure(new ApiError(code, 400));
  }

  function take({ target }: ChangeEvent<HTMLInputElement>): void {
    const chosen = target.files?.[0];
    // Allows the same file to be chosen again.
    target.value = '';
    if (!chosen) return;
    setFailure(null);
    if (!accepted.split(',').includes(chosen.type)) refuse('avatar.format');
    else if (chosen.size > largest) refuse('avatar.too_large');
    else setFile(chosen);
  }

  return (
    <div className={styles.choice}>
      <FormError text={failure === null ? '' : describeError(failure)} />
      {file ? (
        <Cropper
          picture={file}
          busy={busy === 'upload'}
          onCut={(square) => void save('upload', () => uploadPicture(cache, square))}
          onUnreadable={() => refuse('avatar.format')}
        />
      ) : (
        <>
          {data ? (
            <ul className={styles.presets}>
              {data.presets.map(({ id, url }, at) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-label={t`Picture ${at + 1}`}
                    aria-pressed={url === data.current}
                    aria-busy={busy === id || undefined}
                    className={cx(styles.preset, busy === id && styles.sending)}
                    onClick={() => void save(id, () => choosePreset(cache, id))}
                  >
                    <Picture src={url} size={64} className={styles.face} />
                    {url === data.current && (
                      <span className={styles.mark}>
                        <Icon name="check-bold" size={12} />
                      </span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          ) : error ? (
            <ErrorRetry
              detail={describeError(error)}
              answered={wasAnswered(error)}
              onRetry={refetch}
            />
          ) : (
            <div aria-busy="true" className={styles.presets}>
              {Array.from({ length: 12 }, (_, place) => (
                <Skeleton key={place} shape="box" width={64} height={64} />
              ))}
            </div>
          )}
        </>
      )}
      <input
        ref={input}
        type="file"
        accept={accepted}
        hidden
        aria-label={t`Upload a picture`}
        onChange={take}
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
