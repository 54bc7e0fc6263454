import type { SigningKey } from '@sibyl/identity'

/** The header that a token must have. */
export const rightHeader = { alg: 'EdDSA', typ: 'JWT', ucv: '0.8.1' }

/** One segment of a token. Texts go in as they are, so that they may be JSON that no serializer writes. */
export const segment = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signs any header and payload. */
export const forge = async (key: SigningKey, payload: unknown, header: unknown = rightHeader): Promise<string> => {
  const signed = `${segment(header)}.${segment(payload)}`
  return `${signed}.${Buffer.from(await key.sign(Buffer.from(signed))).toString('base64url')}`
}

/** JSON text of an object with one member written last, also when it is there already or no serializer would write it. */
export const withMember = (object: Readonly<Record<string, unknown>>, name: string, json: string): string =>
  `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${json}}`
