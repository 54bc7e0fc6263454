/** Options of `pagePolicy`. */
export interface PagePolicyOptions {
  /**
   * Allows only scripts and styles with this nonce, instead of all of the same origin. Base64, new for each response.
   * Without one the browser also rejects text as HTML (Trusted Types).
   */
  readonly nonce?: string
  /** Whether it sends forms to its own origin without a script. @default false */
  readonly sendsForms?: boolean
}

/** Returns the Content Security Policy of a page that loads its own scripts and styles, and sends requests to its own origin. */
export const pagePolicy = ({ nonce, sendsForms = false }: PagePolicyOptions = {}): string => {
  const source = nonce === undefined ? "'self'" : `'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${sendsForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    ...(nonce === undefined ? ["require-trusted-types-for 'script'", "trusted-types 'none'"] : []),
  ].join('; ')
}
