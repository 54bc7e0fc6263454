import { type Fault, jsonPointer } from '@sibyl/protocol'
import type { z } from 'zod'
import { InvalidEntityError } from './errors/invalid-entity-error.ts'

/** @throws InvalidEntityError (`entity_invalid`) with all faults */
export const checkInput = <Value>(schema: z.ZodType<Value>, value: unknown): Value => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(
    ({ path, message }): Fault => ({
      path: path.reduce<string>((pointer, part) => jsonPointer(pointer, String(part)), ''),
      code: 'entity_invalid',
      message,
    }),
  )
  throw new InvalidEntityError(faults)
}
