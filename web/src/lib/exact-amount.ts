// Sends amounts as JSON numbers with all their digits. A number of JavaScript loses digits above 2^53.

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns the options of a request whose body has an amount, which is decimal text. */
export function withAmount<T extends object>(fields: T, amount: string) {
  if (!jsonNumber.test(amount)) throw new RangeError(`not an amount: ${amount}`);
  const body = { ...fields, amount: Number(amount) };
  return {
    body,
    bodySerializer: (): string => {
      const others = JSON.stringify(fields);
      return `${others.slice(0, -1)}${others === '{}' ? '' : ','}"amount":${amount}}`;
    },
  };
}
