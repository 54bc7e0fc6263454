import { toBase64url } from '../encoding/base64url.ts'
import type { Signer } from '../keys/signing-key.ts'

const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

/** Saturday 21 November 2026, 12:00 UTC, in seconds and as a clock. */
export const NOW = Date.UTC(2026, 10, 21, 12) / 1000
export const clock = () => NOW * 1000

/** Signs any header and payload, also those that no honest minter would make. Texts go in as they are. */
export async function forgeToken(key: Signer, payload: unknown, header: unknown = validHeader): Promise<string> {
  const signedData = `${encode(header)}.${encode(payload)}`
  return `${signedData}.${toBase64url(await key.sign(new TextEncoder().encode(signedData)))}`
}

export const validHeader = { alg: 'EdDSA', typ: 'JWT', ucv: '0.8.1' }

/** The payload of a token, decoded. */
export function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

function encode(value: unknown): string {
  return toBase64url(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)))
}

/** The same signature with the group order added to its second half, little-endian. */
export function malleable(signature: Uint8Array): Uint8Array {
  const scalar = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`) + GROUP_ORDER
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
  return Uint8Array.of(...signature.subarray(0, 32), ...bytes)
}
