import { z } from 'zod'
import { type Fact, maxFactText, maxTag, maxTags, usualImportance } from '../facts/fact.ts'

/** What a remote memory tells of a fact; a form of its own is refused, and what is too long is cut. */
export const remoteFact = z.object({
  subject: z.string().min(1).max(500),
  /** Nothing that could begin a line of its own. */
  id: z
    .string()
    .max(100)
    .regex(/^[^\p{C}\s]+$/u),
  text: z.string().transform(text => text.slice(0, maxFactText)),
  tags: z
    .array(z.string().transform(tag => tag.slice(0, maxTag)))
    .default([])
    .transform(tags => tags.slice(0, maxTags)),
  importance: z.int().min(1).max(5).default(usualImportance),
  createdAt: z.iso.datetime({ offset: true }),
  updatedAt: z.iso.datetime({ offset: true }).optional(),
  /** How well it fits what was asked for, from 0 to 1. */
  relevance: z.number().optional(),
})

export type RemoteFact = z.output<typeof remoteFact>

/** A fact from what a remote memory told. */
export const factOfRemote = ({ id, text, tags, importance, createdAt, updatedAt = createdAt }: RemoteFact): Fact => ({
  id,
  text: text.toWellFormed(),
  tags: tags.map(tag => tag.toWellFormed()),
  importance,
  createdAt: Date.parse(createdAt),
  updatedAt: Date.parse(updatedAt),
})
