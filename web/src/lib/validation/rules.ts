// Checks values against the rules that the server serves. Server and app run the same test cases
// (internal/platform/validation/testdata), so that neither accepts what the other refuses.

/** A served rule; internal/platform/validation defines its parts. */
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

/** A broken rule: the code of its message, and the numbers in the message. */
export type Broken = { code: string; args: Record<string, number> };

const types: ReadonlySet<string | undefined> = new Set([undefined, 'string', 'number', 'email']);

/** Matches spaces around a value. The server uses the same set. */
const outer = /^[ \t\r\n\u00A0\u3000]+|[ \t\r\n\u00A0\u3000]+$/g;

/** Matches whole numbers that server and app represent exactly. */
const decimal = /^-?\d{1,15}$/;

/** Removes the spaces around a value, and changes nothing else. */
export function trimSpaces(value: string): string {
  return value.replaceAll(outer, '');
}

/** Converts typed text to the value to check, by field. */
type Readers = Readonly<Record<string, (typed: string) => string>>;

type CheckedRule = Rule & { regexp: RegExp | null };

export class Rules {
  readonly #fields: ReadonlyMap<string, readonly CheckedRule[]>;
  readonly #readers: Readers;

  /** Throws when a field has no rules, or a rule has an unknown type. */
  constructor(set: RuleSet, readers: Readers = {}) {
    const fields = Object.entries(set);
    if (fields.length === 0 || fields.some(([, rules]) => rules.length === 0))
      throw new Error('Cannot configure a schema with no rules');
    this.#fields = new Map(fields.map(([name, rules]) => [name, rules.map(checkRule)]));
    this.#readers = readers;
  }

  /** The maximum length of a field as an input's attribute, when a rule sets one and the text is sent as typed. */
  lengthLimit(name: string): { maxLength?: number } {
    if (this.#readers[name]) return {};
    const lengths = (this.#fields.get(name) ?? []).flatMap(({ type, max }) =>
      type !== 'number' && max ? [max] : [],
    );
    return lengths.length > 0 ? { maxLength: Math.min(...lengths) } : {};
  }

  /** The fields that have rules. */
  get names(): string[] {
    return [...this.#fields.keys()];
  }

  /** Returns the messages of all rules that a value breaks, each once, in the rules' order. A field without rules is refused. */
  check(name: string, value: string, form: Values = {}): Broken[] {
    const rules = this.#fields.get(name);
    if (!rules) return [{ code: 'validation.pattern', args: {} }];
    const read = this.#readers[name]?.(value) ?? value;
    const broken = new Map<string, Broken>();
    for (const rule of rules) {
      if (broken.has(rule.message) || holds(rule, read, form)) continue;
      broken.set(rule.message, { code: rule.message, args: numbersOf(rule) });
    }
    return [...broken.values()];
  }
}

function numbersOf({ min, max, len }: Rule): Record<string, number> {
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(len !== undefined && { len }),
  };
}

function checkRule(rule: Rule): CheckedRule {
  if (!types.has(rule.type)) throw new Error(`Unknown rule type ${rule.type}`);
  return { ...rule, regexp: readPattern(rule.pattern) };
}

/** Returns null for a pattern that this browser cannot read. Only the server checks it then. */
function readPattern(pattern: string | undefined): RegExp | null {
  try {
    return pattern ? new RegExp(pattern, 'u') : null;
  } catch {
    return null;
  }
}

function holds(rule: CheckedRule, typed: string, form: Values): boolean {
  const value = rule.trim ? trimSpaces(typed) : typed;
  if (value === '') return !rule.required;
  const number = rule.type === 'number';
  if (number && !decimal.test(value)) return false;
  const size = number ? Number(value) : Array.from(value).length;
  if (rule.min && size < rule.min) return false;
  if (rule.max && size > rule.max) return false;
  if (rule.len && size !== rule.len) return false;
  if (rule.regexp && !rule.regexp.test(value)) return false;
  if (rule.enum?.length && !rule.enum.includes(value)) return false;
  if (rule.equal && value !== (form[rule.equal] ?? '')) return false;
  return !rule.differs || value !== (form[rule.differs] ?? '');
}
