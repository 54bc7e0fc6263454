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
        'Encrypts PINs, phone numbers and USSD sessions at rest: 32 bytes as hex or base64, or a string of at least 32 characters',
      example: `the output of ${sealingKeyCommand}`,
      secret: true,
    }),
  PIN_ENCRYPTION_OLD_KEYS: z
    .string()
    .max(10_000)
    .refine(text => readSealingKeys(text) !== undefined, {
      error: 'expected keys in the form of PIN_ENCRYPTION_KEY, separated by commas, or a JSON list of them',
    })
    .optional()
    .meta({
      description:
        'Previous keys, separated by commas: values sealed with them can be read, and are sealed again with ' +
        'PIN_ENCRYPTION_KEY. With several processes, set the next key here first, on all of them',
      secret: true,
    }),
}
