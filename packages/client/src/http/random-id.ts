/** Makes an id of 128 random bits in hex; works on pages without a secure context, where `crypto.randomUUID` is not. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
