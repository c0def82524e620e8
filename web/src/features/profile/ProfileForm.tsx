import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, type FormEvent } from 'react';

import { useValidatedForm } from '../../api/form.ts';
import { changeProfile, type Profile, type ProfileChange } from '../../api/profile.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { focusField } from '../../lib/focus.ts';
import { Rules, type RuleSet } from '../../lib/validation/rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { formatHints, hasStandardFormat } from '../../ui/form/formatHints.ts';
import { FormError } from '../../ui/form/FormError.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './ProfileScreen.module.css';

/** Product names, not translated. */
const contacts = {
  zalo: 'Zalo',
  whatsapp: 'WhatsApp',
  line: 'LINE',
  wechat: 'WeChat',
  facebook: 'Facebook',
  qqNum: 'QQ',
} as const;

type Name = keyof ProfileChange;
const contactNames = Object.keys(contacts) as (keyof typeof contacts)[];
const numericContacts: ReadonlySet<string> = new Set(['zalo', 'whatsapp', 'qqNum']);

type ProfileFormProps = { profile: Profile; setting: RegisterSetting };

/** The editable fields. The real name can be set only once, so the form asks for confirmation. */
export function ProfileForm({ profile, setting }: ProfileFormProps) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const hasRealName = profile.payeeName !== '';
  const names = useMemo(() => editableFields(setting, hasRealName), [setting, hasRealName]);
  const shown = contactNames.filter((name) => names.includes(name));
  const hasNickname = profile.nickname !== '';
  const rules = useMemo(
    () => new Rules(changeRules(setting, names, hasNickname)),
    [setting, names, hasNickname],
  );
  const form = useValidatedForm(names, rules, initialValues(profile));
  const element = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const maxLength = form.lengthLimit('nickname').maxLength;
  const changed = names.filter((name) => form.getValue(name) !== profile[name]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const invalidField = form.validateAll();
    if (invalidField) focusField(element.current, invalidField);
    else if (changed.includes('payeeName')) setIsConfirming(true);
    else await save();
  }

  async function save(): Promise<void> {
    setIsConfirming(false);
    setBusy(true);
    form.clearError();
    try {
      await changeProfile(
        cache,
        Object.fromEntries(changed.map((name) => [name, form.getValue(name)])),
      );
      toast.success(t`Changes saved`);
    } catch (thrown) {
      const field = form.showServerError(thrown);
      if (field) focusField(element.current, field);
    } finally {
      setBusy(false);
    }
  }

  /** Adds the expected format to a format error. */
  function errorsOf(name: Name): string[] {
    const field = setting.fields.find((one) => one.name === name);
    const hint = field && hasStandardFormat(field.rules) ? formatHints[name] : undefined;
    const format = field?.messages['format'] ?? 'validation.pattern';
    const formatError = describeError(new ApiError(format, 400));
    return form
      .errorsOf(name)
      .map((text) => (hint && text === formatError ? `${text}: ${i18n._(hint)}` : text));
  }

  const shared = (name: Name) => ({
    name,
    value: form.getValue(name),
    errors: errorsOf(name),
    onChange: (event: { target: { value: string } }) => form.setValue(name, event.target.value),
    onBlur: () => form.markTouched(name),
    ...form.lengthLimit(name),
  });

  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <FormError text={form.failure} />
      {names.includes('nickname') && (
        <Field
          {...shared('nickname')}
          label={t`Nickname`}
          icon="user-circle"
          autoComplete="nickname"
          hint={
            maxLength === undefined
              ? undefined
              : describeError(new ApiError('validation.max', 400, { args: { max: maxLength } }))
          }
        />
      )}
      {names.includes('payeeName') && (
        <Field
          {...shared('payeeName')}
          label={t`Real name`}
          icon="identification-card"
          autoComplete="name"
          hint={t`As on your bank account, without accents. It can be set once.`}
        />
      )}
      {shown.length > 0 && <h2 className={styles.group}>{t`Contacts`}</h2>}
      {shown.map((name) => (
        <Field
          key={name}
          {...shared(name)}
          label={contacts[name]}
          icon="chat-circle-dots"
          placeholder={t`Optional`}
          autoCapitalize="none"
          spellCheck={false}
          {...(numericContacts.has(name) && { inputMode: 'numeric' })}
        />
      ))}
      <Button type="submit" full busy={busy} disabled={changed.length === 0}>
        {t`Save`}
      </Button>
      <Dialog
        alert
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={t`Is this your real name?`}
        text={t`${form.getValue('payeeName')}: withdrawals are paid to this name only, and it cannot be changed later.`}
        actions={
          <>
            <Button onPress={() => void save()}>{t`Yes, save it`}</Button>
            <Button variant="text" size="md" onPress={() => setIsConfirming(false)}>
              {t`Back to the form`}
            </Button>
          </>
        }
      />
    </form>
  );
}

/** Returns the editable fields: those the merchant enables, and the real name until it is set. */
function editableFields(setting: RegisterSetting, hasRealName: boolean): Name[] {
  const enabled = new Set(setting.fields.flatMap(({ name, profile }) => (profile ? [name] : [])));
  const all: Name[] = ['nickname', ...(hasRealName ? [] : ['payeeName' as const]), ...contactNames];
  return all.filter((name) => enabled.has(name));
}

export const hasEditableFields = (setting: RegisterSetting, { payeeName }: Profile): boolean =>
  editableFields(setting, payeeName !== '').length > 0;

function initialValues(profile: Profile): Record<string, string> {
  const { nickname, zalo, whatsapp, line, wechat, facebook, qqNum } = profile;
  return { nickname, payeeName: '', zalo, whatsapp, line, wechat, facebook, qqNum };
}

/** Returns the rules of the editable fields. A nickname is required only if the member has one. */
function changeRules(
  setting: RegisterSetting,
  names: readonly Name[],
  hasNickname: boolean,
): RuleSet {
  return Object.fromEntries(
    names.map((name) => {
      // The merchant’s own rules of a field are in the field, not in `setting.rules`.
      const merchantRules = setting.fields.find((field) => field.name === name)?.rules ?? [];
      const rules = [
        ...(setting.rules[name] ?? []).filter(({ required }) => required),
        ...merchantRules,
      ];
      const isRequired = name === 'nickname' && hasNickname;
      return [name, rules.filter(({ required }) => isRequired || !required)];
    }),
  );
}
