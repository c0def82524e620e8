import { useLingui } from '@lingui/react/macro';
import { useId, useRef, useState, type ChangeEvent } from 'react';

import { useBlobAddress } from '../../lib/blob-address.ts';
import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';

import styles from './FileUpload.module.css';

export type FileUploadProps = {
  label: string;
  files: readonly File[];
  onChange: (files: File[]) => void;
  /** MIME types, such as `image/png`. */
  accept: readonly string[];
  maxFiles: number;
  maxBytes: number;
  errors?: readonly string[] | undefined;
  hint?: string | undefined;
  /** From 0 to 1 during the upload. */
  progress?: number | undefined;
  disabled?: boolean | undefined;
};

/** Pictures to upload, with previews. Checks type, size and count before the upload. */
export function FileUpload(props: FileUploadProps) {
  const { label, files, onChange, accept, maxFiles, maxBytes, hint, progress, disabled } = props;
  const { t } = useLingui();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [rejection, setRejection] = useState('');
  const problems = rejection ? [rejection] : (props.errors ?? []);
  const note = problems.length > 0 ? problems.join(', ') : hint;
  const megabytes = Math.floor(maxBytes / 1024 / 1024);

  function add({ target }: ChangeEvent<HTMLInputElement>): void {
    const chosen = [...(target.files ?? [])];
    // Allows the same file to be chosen again.
    target.value = '';
    const wrongType = chosen.find((file) => !accept.includes(file.type));
    const tooLarge = chosen.find((file) => file.size > maxBytes);
    const good = chosen.filter((file) => accept.includes(file.type) && file.size <= maxBytes);
    const fits = files.length + good.length <= maxFiles;
    if (fits && wrongType)
      setRejection(t`${wrongType.name} is not a picture that can be used here.`);
    else if (fits && tooLarge) setRejection(t`${tooLarge.name} is larger than ${megabytes} MB.`);
    else setRejection(fits ? '' : t`You can add at most ${maxFiles} pictures.`);
    if (fits && good.length > 0) onChange([...files, ...good]);
  }

  function remove(file: File): void {
    setRejection('');
    onChange(files.filter((other) => other !== file));
  }

  return (
    <div role="group" aria-labelledby={id} aria-describedby={note ? `${id}-note` : undefined}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      <div className={styles.files}>
        {files.map((file) => (
          <Preview
            key={`${file.name}-${file.lastModified}-${file.size}`}
            file={file}
            onRemove={disabled ? undefined : () => remove(file)}
          />
        ))}
        {files.length < maxFiles && (
          <button
            type="button"
            disabled={disabled}
            onClick={() => input.current?.click()}
            className={styles.add}
          >
            <Icon name="camera" size={24} />
            {t`Add a picture`}
          </button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple={maxFiles > 1}
        accept={accept.join(',')}
        aria-label={label}
        onChange={add}
      />
      {progress !== undefined && (
        <progress value={progress} aria-label={t`Uploading`} className={styles.progress} />
      )}
      {note && (
        <p
          id={`${id}-note`}
          role={problems.length > 0 ? 'alert' : undefined}
          className={cx(styles.note, problems.length > 0 && styles.bad)}
        >
          {note}
        </p>
      )}
    </div>
  );
}

function Preview({ file, onRemove }: { file: File; onRemove?: (() => void) | undefined }) {
  const { t } = useLingui();
  const url = useBlobAddress(file);
  return (
    <div className={styles.preview}>
      {url && <img src={url} alt={file.name} className={styles.picture} />}
      {onRemove && (
        <IconButton
          icon="x-circle-fill"
          iconSize={22}
          label={t`Remove ${file.name}`}
          onPress={onRemove}
          className={styles.remove}
        />
      )}
    </div>
  );
}
