/** Options of `pagePolicy`. */
export interface PagePolicyOptions {
  /**
   * Allows only scripts and styles with this nonce, instead of all of the same origin. Base64, new for each response.
   * Without one the browser also rejects text as HTML (Trusted Types).
   */
  readonly nonce?: string
}

/**
 * Returns the Content Security Policy of a page that loads its own scripts and styles, sends requests to its own
 * origin, and does nothing else.
 */
export const pagePolicy = ({ nonce }: PagePolicyOptions = {}): string => {
  const source = nonce === undefined ? "'self'" : `'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(nonce === undefined ? ["require-trusted-types-for 'script'", "trusted-types 'none'"] : []),
  ].join('; ')
}
