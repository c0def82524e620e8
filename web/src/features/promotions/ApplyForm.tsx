import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { MemberDraft } from '../../api/member-draft.ts';
import { applyForPromotion, promotionsKey } from '../../api/promotions.ts';
import { rewardsKey } from '../../api/rewards.ts';
import { uprightPicture } from '../../lib/upright-picture.ts';
import { Button } from '../../ui/Button.tsx';
import { FileUpload } from '../../ui/form/FileUpload.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { toast } from '../../ui/toastStore.ts';

import styles from './PromotionsScreen.module.css';

const maxRemark = 140;
const maxFiles = 3;
const maxBytes = 5 * 1024 * 1024;
const accept = ['image/png', 'image/jpeg'];

type Typed = { id: string; remark: string; pictures: readonly File[] };

/** Keeps the form while the member reads other pages. The pictures do not survive a reload. */
const draft = new MemberDraft<Typed>(/^\/m\/(?:activity|help|helpDetail|policy\/[^/]*|service)$/, {
  key: 'applyDraft',
  part: (typed) => ({ ...typed, pictures: [] }),
});

/** Applies for a promotion with a remark and pictures. */
export function ApplyForm({ id }: { id: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [first] = useState(() => (draft.value?.id === id ? draft.value : undefined));
  const [remark, setRemark] = useState(first?.remark ?? '');
  const [pictures, setPictures] = useState<readonly File[]>(first?.pictures ?? []);
  const [progress, setProgress] = useState<number>();
  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    fields: ['remark', 'image'],
    send: async (_: { remark: string; chosen: string }, idempotencyKey) => {
      try {
        const upright = await Promise.all(pictures.map(uprightPicture));
        return await applyForPromotion(id, remark, upright, {
          idempotencyKey,
          onProgress: setProgress,
        });
      } finally {
        setProgress(undefined);
      }
    },
    onDone: async () => {
      draft.drop();
      toast.success(t`Your application was sent`);
      await Promise.all(
        [promotionsKey, rewardsKey].map((queryKey) => cache.invalidateQueries({ queryKey })),
      );
    },
  });
  const tooLong = Array.from(remark).length > maxRemark;

  function send(event: FormEvent): void {
    event.preventDefault();
    if (tooLong) return;
    // The key of a repeated request depends on the chosen files too.
    const chosen = pictures.map((file) => `${file.name} ${file.size} ${file.lastModified}`);
    void submit({ remark, chosen: chosen.join('\n') });
  }

  return (
    <form className={styles.box} onSubmit={send} noValidate>
      <h2 className={styles.subtitle}>{t`Apply`}</h2>
      <FormError text={error} />
      <TextArea
        name="remark"
        label={t`Remark (optional)`}
        value={remark}
        max={maxRemark}
        errors={tooLong ? [t`At most ${maxRemark} characters`] : errorsOf('remark')}
        onChange={(event) => {
          clearErrors();
          setRemark(event.target.value);
          draft.keep({ id, remark: event.target.value, pictures });
        }}
        disabled={busy}
      />
      <FileUpload
        label={t`Pictures (optional)`}
        files={pictures}
        onChange={(files) => {
          clearErrors();
          setPictures(files);
          draft.keep({ id, remark, pictures: files });
        }}
        accept={accept}
        maxFiles={maxFiles}
        maxBytes={maxBytes}
        errors={errorsOf('image')}
        hint={t`PNG or JPG, at most 5 MB each, up to 3.`}
        progress={progress}
        disabled={busy}
      />
      <Button type="submit" full busy={busy}>
        {t`Send the application`}
      </Button>
    </form>
  );
}
