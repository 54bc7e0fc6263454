import { z } from 'zod'

/** A time in whole seconds, at least 1. */
export const seconds = (max: number) => z.coerce.number().int().min(1).max(max)

/** A text of one line. */
export const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line')

export const webAddress = z.url({ protocol: /^https?$/ }).max(2000)
