import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { feedbackKey, sendFeedback } from '../../api/feedback.ts';
import { MemberDraft } from '../../api/member-draft.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { uprightPicture } from '../../lib/upright-picture.ts';
import { Button } from '../../ui/Button.tsx';
import { FileUpload } from '../../ui/form/FileUpload.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { toast } from '../../ui/toastStore.ts';
import { useCategories } from './useCategories.ts';

import styles from './FeedbackScreen.module.css';

const maxFiles = 3;
const maxBytes = 5 * 1024 * 1024;
const accept = ['image/png', 'image/jpeg'];
/** The limits if the server sends none. */
const defaultMin = 10;
const defaultMax = 140;

type Typed = { category: string; content: string; pictures: readonly File[] };

const draft = new MemberDraft<Typed>(/^\/m\/(?:member\/feedback|help|helpDetail|service)$/, {
  key: 'feedbackDraft',
  part: (typed) => ({ ...typed, pictures: [] }),
});

const blank: Typed = { category: '', content: '', pictures: [] };

type FeedbackFormProps = { rules: NonNullable<RegisterSetting['rules'][string]> };

export function FeedbackForm({ rules }: FeedbackFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const categories = useCategories();
  const [typed, setTyped] = useState<Typed>(() => draft.value ?? blank);
  const [isChecked, setIsChecked] = useState(false);
  const [progress, setProgress] = useState<number>();
  const min = rules.find((rule) => rule.min)?.min ?? defaultMin;
  const max = rules.find((rule) => rule.max)?.max ?? defaultMax;
  const length = Array.from(typed.content.trim()).length;
  const isLengthOk = length >= min && length <= max;

  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    fields: ['category', 'content', 'image'],
    send: async (
      { category, content }: { category: string; content: string; chosen: string },
      key,
    ) => {
      try {
        const upright = await Promise.all(typed.pictures.map(uprightPicture));
        return await sendFeedback({ category, content }, upright, {
          idempotencyKey: key,
          onProgress: setProgress,
        });
      } finally {
        setProgress(undefined);
      }
    },
    onDone: () => {
      draft.drop();
      setTyped(blank);
      setIsChecked(false);
      toast.success(t`Thank you. We will answer here.`);
      return cache.invalidateQueries({ queryKey: feedbackKey });
    },
  });

  function change(part: Partial<Typed>): void {
    clearErrors();
    const next = { ...typed, ...part };
    setTyped(next);
    draft.keep(next);
  }

  function send(event: FormEvent): void {
    event.preventDefault();
    setIsChecked(true);
    if (!typed.category || !isLengthOk) return;
    // The key of a repeated request depends on the chosen files too.
    const chosen = typed.pictures.map((file) => `${file.name} ${file.size} ${file.lastModified}`);
    void submit({
      category: typed.category,
      content: typed.content.trim(),
      chosen: chosen.join('\n'),
    });
  }

  const shortText = isChecked && !isLengthOk ? [t`Write ${min} to ${max} characters`] : [];
  return (
    <form className={styles.form} onSubmit={send} noValidate>
      <FormError text={error} />
      <SelectField
        label={t`What is it about?`}
        value={typed.category}
        onChange={(category) => change({ category })}
        options={Object.entries(categories).map(([value, label]) => ({ value, label }))}
        placeholder={t`Please choose`}
        errors={isChecked && !typed.category ? [t`Please choose`] : errorsOf('category')}
        disabled={busy}
      />
      <TextArea
        label={t`Your message`}
        value={typed.content}
        max={max}
        onChange={(event) => change({ content: event.target.value })}
        errors={shortText.length > 0 ? shortText : errorsOf('content')}
        hint={t`${min} to ${max} characters`}
        disabled={busy}
      />
      <FileUpload
        label={t`Pictures`}
        files={typed.pictures}
        onChange={(pictures) => change({ pictures })}
        accept={accept}
        maxFiles={maxFiles}
        maxBytes={maxBytes}
        errors={errorsOf('image')}
        hint={t`PNG or JPG, at most 5 MB each, up to 3.`}
        progress={progress}
        disabled={busy}
      />
      <Button type="submit" full busy={busy}>
        {t`Send`}
      </Button>
    </form>
  );
}
