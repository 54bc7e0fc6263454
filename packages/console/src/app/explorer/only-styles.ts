/** The part of the browser's Trusted Types that the page uses. */
interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string | null; createScriptURL(url: string): string | null },
  ): unknown
}

/**
 * Creates the default policy for Trusted Types, which the page of the explorer requires. Text becomes the content of a style
 * element, and an address of the own origin that of a worker; text never becomes HTML.
 */
export const allowOnlyStyles = (): void => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies }
  trustedTypes?.createPolicy('default', {
    createHTML: text => (text.includes('<') ? null : text),
    createScriptURL: url => (new URL(url, location.href).origin === location.origin ? url : null),
  })
}
