import { createHash } from 'node:crypto'
import { cleanText } from '@sibyl/plugin'
import { utcDay } from '@sibyl/protocol'
import { z } from 'zod'

/** Something that a person wanted to be remembered. */
export interface Fact {
  /** Unique among the facts of its person: `f` and eleven letters and digits. */
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
  /** 1, hardly worth it, to 5, never to be missed. */
  readonly importance: number
  /** Milliseconds since 1970: when it was first told. */
  readonly createdAt: number
  /** Milliseconds since 1970: when it was last told. */
  readonly updatedAt: number
}

/** A fact as it is told. */
export interface NewFact {
  readonly text: string
  readonly tags: readonly string[]
  /** Where nothing is said, 3, or what it was. */
  readonly importance?: number
}

/** Largest text of a fact, in characters. */
export const maxFactText = 2_000
/** Most tags of a fact. */
export const maxTags = 20
/** Longest tag, in characters. */
export const maxTag = 40
/** What a fact counts where nobody says. */
export const usualImportance = 3

/** A text on one line, without characters that nobody sees, in Unicode form NFC. */
export const oneLine = (text: string): string => cleanText(text).normalize('NFC')

/** The id of the fact that a call tells: of the same call always the same, of 56 bits. @param key the call's `idempotencyKey` */
export const factIdOf = (did: string, key: string): string => {
  const bits = createHash('sha256').update(`${did}\n${key}`).digest('hex').slice(0, 14)
  return `f${BigInt(`0x${bits}`).toString(36).padStart(11, '0')}`
}

/** Whether a text has the form of such an id. */
export const isFactId = (text: string): boolean => /^f[0-9a-z]{11}$/.test(text)

/** A fact as it is shown over HTTP and exported. */
export const factRecord = z.object({
  id: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  importance: z.int().min(1).max(5).describe('from 1, hardly worth it, to 5'),
  createdAt: z.iso.datetime().describe('when it was first told'),
  updatedAt: z.iso.datetime().describe('when it was last told'),
})

export type FactRecord = z.infer<typeof factRecord>

export const recordOf = ({ id, text, tags, importance, createdAt, updatedAt }: Fact): FactRecord => ({
  id,
  text,
  tags: [...tags],
  importance,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
})

/** A fact as a line: the day on which it was last told, its tags, its text. @example '2026-08-01 [food]: Ada likes tea' */
export const factLine = ({ text, tags, updatedAt }: Fact): string => {
  const day = utcDay(updatedAt)
  return `${day}${tags.length > 0 ? ` [${tags.map(oneLine).join(', ')}]` : ''}: ${oneLine(text)}`
}
