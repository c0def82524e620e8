// The rules that the server serves, run as they are typed against. The server runs the same rules over the same
// cases (internal/platform/validation/testdata), so that neither side takes what the other refuses.
import Schema, { type RuleItem, type ValidateError } from '@rc-component/async-validator';

/** As the server serves it; internal/platform/validation says what each part means. */
type Rule = {
  type?: 'string' | 'number' | 'email';
  trim?: boolean;
  required?: boolean;
  min?: number;
  max?: number;
  len?: number;
  pattern?: string;
  enum?: readonly string[];
  equal?: string;
  differs?: string;
  serverOnly?: boolean;
  message: string;
};

export type RuleSet = Readonly<Record<string, readonly Rule[]>>;

/** The values of a form, by field. */
export type Values = Readonly<Record<string, string>>;

/** A rule that does not hold: the code of its message, and the numbers that the message may name. */
export type Broken = { code: string; args: Record<string, number> };

const types: ReadonlySet<string | undefined> = new Set([undefined, 'string', 'number', 'email']);

/** What counts as a space around a value, on the server too. */
const outer = /^[ \t\r\n\u00A0\u3000]+|[ \t\r\n\u00A0\u3000]+$/g;

/** A whole number that both sides count exactly. */
const decimal = /^-?\d{1,15}$/;

/** Drops the spaces around a value. Nothing else of what is typed is ever changed. */
export function trimOuter(value: string): string {
  return value.replaceAll(outer, '');
}

/** Makes of what was typed what is meant by it, by field. */
type Readers = Readonly<Record<string, (typed: string) => string>>;

export class Rules {
  readonly #set: RuleSet;
  readonly #readers: Readers;
  readonly #schemas = new Map<string, Schema>();

  /** Throws where the rules are not sound: a mistake of whoever wrote them, told in the validator's words. */
  constructor(set: RuleSet, readers: Readers = {}) {
    const all = Object.entries(set);
    if (all.length === 0) throw new Error(noRules);
    for (const [name, rules] of all) {
      if (rules.length === 0) throw new Error(noRules);
      this.#schemas.set(name, new Schema({ [name]: rules.map(ruleItem) }));
    }
    this.#set = set;
    this.#readers = readers;
  }

  /** How much a field takes at most, as an input has it; nothing where no rule says so, or more may be typed. */
  bound(name: string): { maxLength?: number } {
    if (this.#readers[name]) return {};
    const most = (this.#set[name] ?? []).flatMap(({ type, max }) =>
      type !== 'number' && max ? [max] : [],
    );
    return most.length > 0 ? { maxLength: Math.min(...most) } : {};
  }

  /** The fields that have rules. */
  get names(): string[] {
    return [...this.#schemas.keys()];
  }

  /**
   * Gives the messages of all rules that a field's value breaks, each once, in the order of the rules. A field
   * without rules takes nothing.
   */
  async check(name: string, value: string, form: Values = {}): Promise<Broken[]> {
    const schema = this.#schemas.get(name);
    if (!schema) return [{ code: 'validation.pattern', args: {} }];
    const meant = this.#readers[name]?.(value) ?? value;
    const codes = new Set(await brokenCodes(schema, { ...form, [name]: meant }));
    return [...codes].map((code) => ({ code, args: this.#numbers(name, code) }));
  }

  #numbers(name: string, code: string): Record<string, number> {
    const rule = this.#set[name]?.find(({ message }) => message === code);
    const { min, max, len } = rule ?? {};
    return {
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(len !== undefined && { len }),
    };
  }
}

const noRules = 'Cannot configure a schema with no rules';

async function brokenCodes(schema: Schema, values: Values): Promise<string[]> {
  try {
    await schema.validate(values, { suppressWarning: true });
    return [];
  } catch (thrown) {
    if (!hasErrors(thrown)) throw thrown;
    return thrown.errors.map(({ message }) => message ?? '');
  }
}

function hasErrors(thrown: unknown): thrown is { errors: ValidateError[] } {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'errors' in thrown &&
    Array.isArray(thrown.errors)
  );
}

/**
 * The validator counts code units and drops spaces for all later rules at once, where the server counts characters
 * and drops them for one rule: so each rule says itself whether it holds.
 */
function ruleItem(rule: Rule): RuleItem {
  if (!types.has(rule.type)) throw new Error(`Unknown rule type ${rule.type}`);
  const pattern = readPattern(rule.pattern);
  return {
    message: rule.message,
    validator: (_, value: string, __, form) => holds(rule, pattern, value, form),
  };
}

/** One that this browser cannot read is the server's alone to check: the form is of use without it. */
function readPattern(pattern: string | undefined): RegExp | null {
  try {
    return pattern ? new RegExp(pattern, 'u') : null;
  } catch {
    return null;
  }
}

function holds(rule: Rule, pattern: RegExp | null, typed: string, form: Values): boolean {
  const value = rule.trim ? trimOuter(typed) : typed;
  if (value === '') return !rule.required;
  const number = rule.type === 'number';
  if (number && !decimal.test(value)) return false;
  const size = number ? Number(value) : Array.from(value).length;
  if (rule.min && size < rule.min) return false;
  if (rule.max && size > rule.max) return false;
  if (rule.len && size !== rule.len) return false;
  if (pattern && !pattern.test(value)) return false;
  if (rule.enum?.length && !rule.enum.includes(value)) return false;
  if (rule.equal && value !== (form[rule.equal] ?? '')) return false;
  return !rule.differs || value !== (form[rule.differs] ?? '');
}
