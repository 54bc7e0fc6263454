import { chatLimits, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'

/** Most parts of a message. */
const maxParts = 50

const kinds = ['text', 'raw', 'url', 'data'] as const

/** A part of a message as clients send it: one of `text`, `raw`, `url` and `data`. */
export const part = z
  .looseObject({
    text: z.string().max(chatLimits.messageCharacters).optional(),
    /** Base64. */
    raw: z.string().optional(),
    url: z.string().max(4_000).optional(),
    data: jsonValue.optional(),
    filename: z.string().max(1_000).optional(),
    mediaType: z.string().max(255).optional(),
  })
  .refine(given => kinds.filter(kind => given[kind] !== undefined).length === 1, {
    message: 'expected one of text, raw, url and data',
  })

export const parts = z.array(part).min(1).max(maxParts)

/** A part of a message as clients send it. */
export type Part = z.output<typeof part>

/** A part as it is stored and sent: text, or the name of a file. */
export const storedPart = z.object({
  text: z.string(),
  filename: z.string().optional(),
  mediaType: z.string().optional(),
})

/** A part as it is stored and sent. */
export type StoredPart = z.output<typeof storedPart>
