import { storable } from '@sibyl/protocol'
import * as z from 'zod'

/** The error message for text that is not `storable`. */
export const brokenText = 'may not have the character NUL or half of a surrogate pair'

/** Words of a person, of a length in characters. */
export const words = (min: number, max: number) => z.string().trim().min(min).max(max).refine(storable, brokenText)
