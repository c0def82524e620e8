// The content security policy allows only style elements that carry the nonce of the response.
import { pageMeta } from '../src/lib/page-meta.ts';

export const styleNonce = (): string => pageMeta('style-nonce') ?? '';

type TrustedTypes = {
  createPolicy: (name: string, rules: { createHTML: (text: string) => string | null }) => unknown;
};

/** Allows the styles that the component library inserts. It must run before anything renders. */
export function allowStyles(): void {
  // The package get-nonce reads this value for the styles that lock scrolling.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // React sets the text of style elements as HTML. Markup contains "<", which styles do not.
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
  });
}
