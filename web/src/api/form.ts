import { useEffect, useState } from 'react';

import { ApiError, describeError, errorOfThrown } from '../i18n/api-error.ts';
import { useLanguage } from '../i18n/runtime.ts';
import type { Rules, Values } from '../lib/validation/rules.ts';

/** Words in another language are asked for again when the choice has settled. */
const settling = 200;

/** What the server said about one value. It holds until the value changes. */
type Refusal = { value: string; failure: ApiError };

/** What was found wrong, by field, and in which language it was put into words. */
type Findings = { spoken: string; words: Readonly<Record<string, string[]>> };

export type RuledForm = ReturnType<typeof useRuledForm>;

/**
 * What was typed into a form, and what is wrong with it by the served rules and by the server's word. `names` are
 * the fields on the screen in their order; `rules` must be the same object as long as the rules are the same.
 */
export function useRuledForm(names: readonly string[], rules: Rules, initial: Values = {}) {
  const [values, setValues] = useState<Values>(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Readonly<Record<string, Refusal>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [findings, setFindings] = useState<Findings>({ spoken: '', words: {} });
  const broken = findings.words;
  const spoken = useSettled(useLanguage());

  // Everything is checked with every key, so that a field that must equal another follows it.
  useEffect(() => {
    let current = true;
    async function check(): Promise<void> {
      const words = await breaches(rules, values);
      if (current) setFindings({ spoken, words });
    }
    void check();
    return () => {
      current = false;
    };
  }, [rules, values, spoken]);

  const typed = (name: string): string => values[name] ?? '';

  function refusalOf(name: string): string | undefined {
    const refusal = refused[name];
    return refusal?.value === typed(name) ? describeError(refusal.failure) : undefined;
  }

  function refuse(name: string, error: ApiError, value = typed(name)): void {
    setRefused((before) => ({ ...before, [name]: { value, failure: error } }));
  }

  return {
    values,
    typed,
    /** What no single field is to blame for, in words. */
    failure: failure === null ? '' : describeError(failure),
    errorsOf(name: string): string[] {
      const refusal = refusalOf(name);
      if (refusal) return [refusal];
      return left.has(name) ? (broken[name] ?? []) : [];
    },
    /** How much a field takes, as an input has it. */
    bound: (name: string) => rules.bound(name),
    /** Whether a value is there and breaks no rule, whatever the server may say. */
    isGood: (name: string) => typed(name) !== '' && broken[name]?.length === 0,
    type(name: string, value: string): void {
      setValues((before) => ({ ...before, [name]: value }));
    },
    /** A field was left: from now on it says what is wrong. */
    markTouched(name: string): void {
      setLeft((before) => (before.has(name) ? before : new Set([...before, name])));
    },
    refuse,
    /**
     * Puts a failure under the field that it is about, whose name is given back, or else above all of them. What was
     * read off a picture is gone by then, as each picture is good for one answer.
     */
    showServerError(thrown: unknown): string | undefined {
      const error = errorOfThrown(thrown);
      const field = error.field ?? fieldOfCode(error.code);
      if (field && names.includes(field)) {
        refuse(field, error, field === 'captcha' ? '' : typed(field));
        return field;
      }
      setFailure(error);
      return undefined;
    },
    /** Takes back what was said above the fields. */
    clearError: () => setFailure(null),
    /** Shows everything that is wrong, and gives the first field that is. */
    async validateAll(): Promise<string | undefined> {
      const words = await breaches(rules, values);
      setFindings({ spoken, words });
      setLeft(new Set(names));
      return names.find((name) => words[name]?.length || refusalOf(name));
    },
    reset(): void {
      setValues(initial);
      setLeft(new Set());
      setRefused({});
      setFailure(null);
    },
  };
}

/** The field that a refusal is about where the server does not name it. */
function fieldOfCode(code: string): string | undefined {
  if (code.startsWith('captcha.')) return 'captcha';
  if (code.startsWith('verification.') && code !== 'verification.unavailable')
    return 'verificationCode';
  if (code.startsWith('member.username')) return 'username';
  if (code.startsWith('member.mobile')) return 'mobileNum';
  return undefined;
}

/** What is wrong with each field that has rules, in the words of the language in use. */
async function breaches(rules: Rules, values: Values): Promise<Findings['words']> {
  const words = await Promise.all(
    rules.names.map(async (name) => {
      const found = await rules.check(name, values[name] ?? '', values);
      return [name, found.map((one) => describeError(new ApiError(one.code, 400, one)))] as const;
    }),
  );
  return Object.fromEntries(words);
}

function useSettled(language: string): string {
  const [settled, setSettled] = useState(language);
  useEffect(() => {
    const timer = setTimeout(setSettled, settling, language);
    return () => clearTimeout(timer);
  }, [language]);
  return settled;
}
