// What the web build answers to imports that are no JavaScript files (scripts/build-web.mjs).

declare module '*.md' {
  const prose: Record<string, { title: string; html: string }>;
  export default prose;
}

declare module 'asset:*' {
  /** Address of the built file, relative to the page. */
  const url: string;
  export default url;
}

declare module 'glue:core' {
  const createCore: (options: object) => Promise<any>;
  export default createCore;
}
