import { useEffect, useMemo, useState } from 'react';

import { ApiError, describeError } from '../../api/error.ts';
import type { DialingCode, Method, RegisterSetting } from '../../api/registration.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Rules, type Values } from '../../lib/validation/rules.ts';
import { fieldsOf, rulesOf } from './fields.ts';

/** Words in another language are asked for again when the choice has settled. */
const settling = 200;

/** What the server said about one value. It holds until the value changes. */
type Refusal = { value: string; failure: ApiError };

/** What was found wrong, by field, and in which language it was put into words. */
type Findings = { spoken: string; words: Readonly<Record<string, string[]>> };

export type RegisterForm = ReturnType<typeof useRegisterForm>;

/** What was typed, and what is wrong with it. */
export function useRegisterForm(
  setting: RegisterSetting,
  method: Method,
  country: DialingCode | undefined,
) {
  const [values, setValues] = useState<Values>({});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Readonly<Record<string, Refusal>>>({});
  const [findings, setFindings] = useState<Findings>({ spoken: '', words: {} });
  const broken = findings.words;
  const spoken = useSettled(useLanguage());
  const fields = useMemo(() => fieldsOf(setting, method), [setting, method]);
  const rules = useMemo(
    () => new Rules(rulesOf(setting, method, country)),
    [setting, method, country],
  );

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

  function errorsOf(name: string): string[] {
    const refusal = refusalOf(name);
    if (refusal) return [refusal];
    return left.has(name) ? (broken[name] ?? []) : [];
  }

  return {
    fields,
    values,
    typed,
    errorsOf,
    /** Whether a value is there and breaks no rule, whatever the server may say. */
    isGood: (name: string) => typed(name) !== '' && broken[name]?.length === 0,
    type(name: string, value: string): void {
      setValues((before) => ({ ...before, [name]: value }));
    },
    /** The visitor has left a field: from now on it says what is wrong. */
    leave(name: string): void {
      setLeft((before) => (before.has(name) ? before : new Set([...before, name])));
    },
    refuse(name: string, failure: ApiError, value = typed(name)): void {
      setRefused((before) => ({ ...before, [name]: { value, failure } }));
    },
    /** Shows everything that is wrong, and gives the first field that is. */
    async inspect(): Promise<string | undefined> {
      const words = await breaches(rules, values);
      setFindings({ spoken, words });
      setLeft(new Set(fields.map(({ name }) => name)));
      return fields.find(({ name }) => words[name]?.length || refusalOf(name))?.name;
    },
    reset(): void {
      setValues({});
      setLeft(new Set());
      setRefused({});
    },
  };
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
