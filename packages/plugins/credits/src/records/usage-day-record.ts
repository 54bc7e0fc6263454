import * as z from 'zod'

/** The usage of a user on a UTC day. */
export const usageDay = z.object({ day: z.string(), did: z.string(), turns: z.int(), credits: z.string() })

export type UsageDay = z.infer<typeof usageDay>
