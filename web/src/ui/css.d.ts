// Custom properties may be set inline: the style sheet says what they do.
declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}

export {};
