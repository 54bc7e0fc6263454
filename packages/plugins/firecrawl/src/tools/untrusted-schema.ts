import { z } from 'zod'

/** What `untrustedContent` of core makes. */
export const untrustedSchema = z.object({ source: z.string(), notice: z.string(), text: z.string() })
