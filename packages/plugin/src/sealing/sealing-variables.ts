import { z } from 'zod'
import { readSealingKey, readSealingKeys, sealingKeyCommand } from './read-sealing-key.ts'

/** The variables of the keys that seal rows, for the schema of each plugin that seals. */
export const sealingVariables = {
  PIN_ENCRYPTION_KEY: z
    .string()
    .refine(text => readSealingKey(text) !== undefined, {
      error: 'expected 32 bytes as hex or base64, or at least 32 characters',
    })
    .meta({
      description:
        'Seals PINs, phone numbers and USSD sessions at rest: 32 bytes as hex or base64, or a text of at least 32 characters',
      example: `the output of: ${sealingKeyCommand}`,
      secret: true,
    }),
  PIN_ENCRYPTION_OLD_KEYS: z
    .string()
    .max(10_000)
    .refine(text => readSealingKeys(text) !== undefined, {
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
