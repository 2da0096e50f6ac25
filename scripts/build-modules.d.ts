// What the web build answers to imports that are no JavaScript files (scripts/build-web.mjs).

declare module '*.md' {
  const prose: Record<string, { title: string; html: string }>;
  export default prose;
}

declare module 'asset:early-files' {
  /** By lesson and language: what is loaded besides the main script. */
  const files: Record<string, Record<string, string[]>>;
  export default files;
}

declare module 'asset:*' {
  /** Address of the built file, relative to the page. */
  const url: string;
  export default url;
}

declare module 'glue:*' {
  const createCore: (options: object) => Promise<any>;
  export default createCore;
}
