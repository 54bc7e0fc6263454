import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'

const bytes = (least: number, max: number) =>
  z
    .string()
    .regex(/^[\w-]*$/)
    .refine(text => {
      const { length } = Buffer.from(text, 'base64url')
      return length >= least && length <= max
    }, `not ${least} to ${max} bytes`)

/** The part of a stored key that needs no passphrase. */
const keyHeader = z.object({
  version: z.literal(1),
  /**
   * Lower-case letters, digits and hyphens; also the name of its file. A retired key has a dot and a number appended.
   */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}(\.[1-9]\d{0,3})?$/),
  /** The did:key of its public key. */
  did: z.string().regex(/^did:key:z[1-9A-HJ-NP-Za-km-z]{20,100}$/),
  createdAt: z.iso.datetime(),
  /** The time at which another key replaced it. */
  retiredAt: z.iso.datetime().optional(),
})

/**
 * A key in `keys/<name>.json`: its mnemonic, encrypted with AES-256-GCM under a key that scrypt (RFC 7914) derives from
 * a passphrase. The header and the parameters are authenticated. Limits of the parameters prevent a forged file from
 * using more than 256 MiB of memory.
 */
export const keyFile = keyHeader.extend({
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.union([15, 16, 17, 18].map(exponent => z.literal(2 ** exponent))),
    r: z.literal(8),
    p: z.literal(1),
    salt: bytes(16, 64),
  }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), iv: bytes(12, 12), tag: bytes(16, 16) }),
  ciphertext: bytes(1, 1000),
})

export type KeyHeader = Readonly<z.infer<typeof keyHeader>>

export type KeyFile = Readonly<z.infer<typeof keyFile>>

/** Validates the name of a key, which is also a file name. Throws `usage_invalid`. */
export const checkKeyName = (name: string): string => {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return name
  throw cliErrors.usage_invalid(
    'The name of the key is invalid.',
    'Use up to 40 lower-case letters, digits and hyphens, starting with a letter or digit: work',
  )
}

/** Validates the name of a key that may be retired: `work`, `work.1`. */
export const checkKeptName = (name: string): string => {
  const [, current = name] = /^(.*)\.[1-9]\d{0,3}$/.exec(name) ?? []
  checkKeyName(current)
  return name
}
