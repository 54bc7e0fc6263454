import { z } from 'zod'
import { keyCommand, readPinKey, readPinKeys } from './read-pin-key.ts'

/** The variables of this room, for the plugin's schema. */
export const keysEnv = {
  PIN_ENCRYPTION_KEY: z
    .string()
    .refine(text => readPinKey(text) !== undefined, {
      error: 'expected 32 bytes as hex or base64, or at least 32 characters',
    })
    .meta({
      description:
        'Seals PINs, phone numbers and sessions at rest: 32 bytes as hex or base64, or a text of at least 32 characters',
      example: `the output of: ${keyCommand}`,
      secret: true,
    }),
  PIN_ENCRYPTION_OLD_KEYS: z
    .string()
    .max(10_000)
    .refine(text => readPinKeys(text) !== undefined, {
      error: 'expected keys like PIN_ENCRYPTION_KEY with commas between them, or a JSON list of them',
    })
    .optional()
    .meta({
      description:
        'Keys of before, with commas between them: what they sealed still opens, and is sealed anew with ' +
        'PIN_ENCRYPTION_KEY. With several processes, put the next key here first, everywhere',
      secret: true,
    }),
}
