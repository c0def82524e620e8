import { useEffect, useMemo, useState } from 'react';

import { ApiError, describeError, errorOfThrown } from '../i18n/api-error.ts';
import { useLanguage } from '../i18n/runtime.ts';
import type { Rules, Values } from '../lib/validation/rules.ts';

const languageDebounceMs = 200;

/** The server's error about one value. It is shown until the value changes. */
type Refusal = { value: string; failure: ApiError };

export type ValidatedForm = ReturnType<typeof useValidatedForm>;

/**
 * The values of a form, with their errors by the served rules and from the server. `names` are the visible fields in order. `rules`
 * must stay the same object while the rules are the same.
 */
export function useValidatedForm(names: readonly string[], rules: Rules, initial: Values = {}) {
  const [values, setValues] = useState<Values>(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Readonly<Record<string, Refusal>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const language = useSettled(useLanguage());
  // Every keystroke checks all fields, because one field may have to equal another.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the texts depend on the language
  const broken = useMemo(() => ruleErrors(rules, values), [rules, values, language]);

  const getValue = (name: string): string => values[name] ?? '';

  function refusalOf(name: string): string | undefined {
    const refusal = refused[name];
    return refusal?.value === getValue(name) ? describeError(refusal.failure) : undefined;
  }

  function refuse(name: string, error: ApiError, value = getValue(name)): void {
    setRefused((before) => ({ ...before, [name]: { value, failure: error } }));
  }

  return {
    values,
    getValue,
    /** The server's error about the form as a whole. */
    failure: failure === null ? '' : describeError(failure),
    errorsOf(name: string): string[] {
      const refusal = refusalOf(name);
      if (refusal) return [refusal];
      return touched.has(name) ? (broken[name] ?? []) : [];
    },
    /** The field's length limit as an input's attribute. */
    lengthLimit: (name: string) => rules.lengthLimit(name),
    /** Reports whether a value is present and breaks no rule. */
    isGood: (name: string) => getValue(name) !== '' && broken[name]?.length === 0,
    setValue(name: string, value: string): void {
      setValues((before) => ({ ...before, [name]: value }));
    },
    /** Shows a field's errors from now on. */
    markTouched(name: string): void {
      setTouched((before) => (before.has(name) ? before : new Set([...before, name])));
    },
    refuse,
    /**
     * Shows an error at the field that it is about and returns the field's name, or else above the form. A captcha answer works once,
     * so its field counts as empty.
     */
    showServerError(thrown: unknown): string | undefined {
      const error = errorOfThrown(thrown);
      const field = error.field ?? fieldOfCode(error.code);
      if (field && names.includes(field)) {
        refuse(field, error, field === 'captcha' ? '' : getValue(field));
        return field;
      }
      setFailure(error);
      return undefined;
    },
    clearError: () => setFailure(null),
    /** Shows all errors and returns the first field that has one. */
    validateAll(): string | undefined {
      setTouched(new Set(names));
      return names.find((name) => broken[name]?.length || refusalOf(name));
    },
    reset(): void {
      setValues(initial);
      setTouched(new Set());
      setRefused({});
      setFailure(null);
    },
  };
}

/** Returns the field of an error for which the server names none. */
function fieldOfCode(code: string): string | undefined {
  if (code.startsWith('captcha.')) return 'captcha';
  if (code.startsWith('verification.') && code !== 'verification.unavailable')
    return 'verificationCode';
  if (code.startsWith('member.username')) return 'username';
  if (code.startsWith('member.mobile')) return 'mobileNum';
  return undefined;
}

/** Returns the errors of each field that has rules, in the current language. */
function ruleErrors(rules: Rules, values: Values): Readonly<Record<string, string[]>> {
  return Object.fromEntries(
    rules.names.map((name) => [
      name,
      rules
        .check(name, values[name] ?? '', values)
        .map((broken) => describeError(new ApiError(broken.code, 400, broken))),
    ]),
  );
}

function useSettled(language: string): string {
  const [settled, setSettled] = useState(language);
  useEffect(() => {
    const timer = setTimeout(setSettled, languageDebounceMs, language);
    return () => clearTimeout(timer);
  }, [language]);
  return settled;
}
