import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, type FormEvent } from 'react';

import { useValidatedForm } from '../../api/form.ts';
import { kycKey, sendKyc, type Kyc, type KycDetails } from '../../api/kyc.ts';
import { MemberDraft } from '../../api/member-draft.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { ApiError } from '../../i18n/api-error.ts';
import { focusField } from '../../lib/focus.ts';
import { uprightPicture } from '../../lib/upright-picture.ts';
import { Rules } from '../../lib/validation/rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FileUpload } from '../../ui/form/FileUpload.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { toast } from '../../ui/toastStore.ts';

import styles from './KycScreen.module.css';

const maxFiles = 3;
const maxBytes = 5 * 1024 * 1024;
const accept = ['image/png', 'image/jpeg'];
const names = ['name', 'birthDate', 'documentNumber'] as const;
const sendFields = [...names, 'image'];

type Typed = KycDetails & { pictures: readonly File[] };

/** Keeps the form while the member reads help or the terms. The number and the pictures do not survive a reload. */
const draft = new MemberDraft<Typed>(
  /^\/m\/(?:member\/kyc|help|helpDetail|policy\/[^/]*|service)$/,
  {
    key: 'kycDraft',
    part: (typed) => ({ ...typed, documentNumber: '', pictures: [] }),
  },
);

type KycFormProps = { setting: RegisterSetting; earlier: Kyc };

export function KycForm({ setting, earlier }: KycFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const rules = useMemo(() => formRules(setting), [setting]);
  const [first] = useState(() => draft.value ?? typedBefore(earlier));
  const form = useValidatedForm(names, rules, valuesOf(first));
  const [pictures, setPictures] = useState<readonly File[]>(first.pictures);
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const [noPicture, setNoPicture] = useState(false);
  const [progress, setProgress] = useState<number>();

  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    fields: sendFields,
    send: async ({ details }: { details: KycDetails; chosen: string }, key: string) => {
      try {
        const upright = await Promise.all(pictures.map(uprightPicture));
        return await sendKyc(details, upright, { idempotencyKey: key, onProgress: setProgress });
      } finally {
        setProgress(undefined);
      }
    },
    onDone: (kyc) => {
      draft.drop();
      toast.success(t`Your documents were sent`);
      cache.setQueryData(kycKey, kyc);
    },
  });

  const details = (): KycDetails => ({
    name: form.getValue('name'),
    birthDate: form.getValue('birthDate'),
    documentNumber: form.getValue('documentNumber'),
  });

  function type(name: (typeof names)[number], text: string): void {
    clearErrors();
    form.setValue(name, text);
    draft.keep({ ...details(), [name]: text, pictures });
  }

  function choose(files: File[]): void {
    clearErrors();
    setNoPicture(false);
    setPictures(files);
    draft.keep({ ...details(), pictures: files });
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const broken = form.validateAll();
    const age = setting.ageLimit;
    const tooYoung = isYounger(form.getValue('birthDate'), age, today);
    if (tooYoung) form.refuse('birthDate', new ApiError('kyc.age', 422, { args: { age } }));
    const invalid = names.find((name) => name === broken || (name === 'birthDate' && tooYoung));
    setNoPicture(pictures.length === 0);
    if (invalid) focusField(element.current, invalid);
    else if (pictures.length > 0) {
      // The key of a repeated request depends on the chosen files too.
      const chosen = pictures.map((file) => `${file.name} ${file.size} ${file.lastModified}`);
      await submit({ details: details(), chosen: chosen.join('\n') });
    }
  }

  const shared = (name: (typeof names)[number]) => ({
    name,
    value: form.getValue(name),
    errors: [...form.errorsOf(name), ...errorsOf(name)],
    onChange: (event: { target: { value: string } }) => type(name, event.target.value),
    onBlur: () => form.markTouched(name),
    disabled: busy,
    ...form.lengthLimit(name),
  });

  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <FormError text={error} />
      <Field
        {...shared('name')}
        label={t`Full name`}
        icon="user"
        autoComplete="name"
        autoCapitalize="words"
        hint={t`As on the document, without accents, for example NGUYEN VAN AN`}
        keepHint
      />
      <Field
        {...shared('birthDate')}
        type="date"
        label={t`Date of birth`}
        icon="calendar-blank"
        autoComplete="bday"
        min="1900-01-01"
        max={today}
        hint={t`You must be at least ${setting.ageLimit} years old`}
      />
      <Field
        {...shared('documentNumber')}
        label={t`Document number`}
        icon="identification-card"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint={t`Of your identity card or passport: 5–20 letters and digits`}
        keepHint
      />
      <FileUpload
        label={t`Pictures of the document`}
        files={pictures}
        onChange={choose}
        accept={accept}
        maxFiles={maxFiles}
        maxBytes={maxBytes}
        errors={noPicture ? [t`Add at least one picture`] : errorsOf('image')}
        hint={t`Front and back, sharp and complete. PNG or JPG, at most 5 MB each, up to 3.`}
        progress={progress}
        disabled={busy}
      />
      <Button type="submit" full busy={busy}>
        {t`Send for checking`}
      </Button>
    </form>
  );
}

/** Reports whether someone is younger than the age limit. Counts as the server does. */
function isYounger(birthDate: string, ageLimit: number, today: string): boolean {
  const grown = new Date(birthDate);
  grown.setUTCFullYear(grown.getUTCFullYear() + ageLimit);
  return grown > new Date(today);
}

/** The served rules, under the names of this form. */
function formRules(setting: RegisterSetting): Rules {
  const name = setting.rules['payeeName'] ?? [];
  return new Rules({
    name,
    birthDate: name.filter(({ required }) => required),
    documentNumber: setting.rules['idNumber'] ?? [],
  });
}

const typedBefore = ({ name = '', birthDate = '' }: Kyc): Typed => ({
  name,
  birthDate,
  documentNumber: '',
  pictures: [],
});

const valuesOf = ({ name, birthDate, documentNumber }: Typed) => ({
  name,
  birthDate,
  documentNumber,
});
