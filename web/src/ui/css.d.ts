// Allows custom properties in inline styles.

declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}

// oxlint-disable-next-line unicorn/require-module-specifiers -- only a module can extend another's types
export {};
