import * as z from 'zod'

/** The error message for text that is not `storable`. */
export const brokenText = 'may not have the character NUL or half of a surrogate pair'

/** Text that any database can keep. */
export const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Words of a person, of a length in characters. */
export const words = (min: number, max: number) => z.string().trim().min(min).max(max).refine(storable, brokenText)
