import { hash } from 'node:crypto'

/**
 * Returns the id of a token for revocation and replay: the SHA-256 of its signed bytes (header.payload) as base64url.
 * The signature is excluded, so that another encoding of it does not change the id.
 *
 * @param token an encoded UCAN; it is not verified
 */
export function tokenHash(token: string): string {
  return hash('sha256', token.split('.', 2).join('.'), 'base64url')
}
