import { hash } from 'node:crypto'

/**
 * Names a token for revocation and replay: the SHA-256 of its signed bytes (header.payload) as base64url. The
 * signature is left out, so that no other spelling of it makes another name.
 *
 * @param token an encoded UCAN; nothing about it is checked
 */
export function tokenHash(token: string): string {
  return hash('sha256', token.split('.', 2).join('.'), 'base64url')
}
