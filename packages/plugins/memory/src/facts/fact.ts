import { createHash } from 'node:crypto'
import { cleanText, utcDay } from '@sibyl/plugin'
import type { FactRecord } from '../records/fact-record.ts'

/** A fact that a person wanted to be remembered. */
export interface Fact {
  /** Unique among the facts of its person: `f` and eleven letters and digits. */
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
  /** 1 (minor) to 5 (essential). */
  readonly importance: number
  /** Milliseconds since 1970: first time it was stored. */
  readonly createdAt: number
  /** Milliseconds since 1970: last time it was stored. */
  readonly updatedAt: number
}

export interface NewFact {
  readonly text: string
  readonly tags: readonly string[]
  /** By default 3, or its previous value. */
  readonly importance?: number
}

/** Maximum length of a fact, in characters. */
export const maxFactText = 2_000
/** Maximum number of tags of a fact. */
export const maxTags = 20
/** Maximum length of a tag, in characters. */
export const maxTag = 40
/** Default importance. */
export const usualImportance = 3

/** Returns text on one line, without invisible characters, in Unicode form NFC. */
export const oneLine = (text: string): string => cleanText(text).normalize('NFC')

/**
 * Returns the id of a call's fact: the same call always has the same id, of 56 bits. @param key the call's
 * `idempotencyKey`
 */
export const factIdOf = (did: string, key: string): string => {
  const bits = createHash('sha256').update(`${did}\n${key}`).digest('hex').slice(0, 14)
  return `f${BigInt(`0x${bits}`).toString(36).padStart(11, '0')}`
}

/** Returns whether a text has the form of such an id. */
export const isFactId = (text: string): boolean => /^f[0-9a-z]{11}$/.test(text)

export const recordOf = ({ id, text, tags, importance, createdAt, updatedAt }: Fact): FactRecord => ({
  id,
  text,
  tags: [...tags],
  importance,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
})

/**
 * Formats a fact as a line: the day of its last update, its tags, its text. @example '2026-08-01 [food]: Ada likes tea'
 */
export const factLine = ({ text, tags, updatedAt }: Fact): string => {
  const day = utcDay(updatedAt)
  return `${day}${tags.length > 0 ? ` [${tags.map(oneLine).join(', ')}]` : ''}: ${oneLine(text)}`
}
