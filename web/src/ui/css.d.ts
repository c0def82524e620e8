// Custom properties may be set inline: the style sheet says what they do.

declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}

// oxlint-disable-next-line unicorn/require-module-specifiers -- only a module adds to another's types
export {};
