import { createHash } from 'node:crypto'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { type Fact, maxFactText, maxTag, maxTags, usualImportance } from '../facts/fact.ts'

const mark = ' [sibyl '

const details = z.object({
  id: z.string().regex(/^[0-9a-z]{1,40}$/),
  tags: z.array(z.string().max(maxTag)).max(maxTags),
  importance: z.int().min(1).max(5),
  createdAt: z.int().min(0),
  updatedAt: z.int().min(0),
})

/** Returns a fact as an observation of a knowledge graph: its text, and behind it what a graph has no place for. */
export const observationOf = ({ text, ...rest }: Fact): string =>
  `${text}${mark}${JSON.stringify(details.parse(rest)).replaceAll('[sibyl', '\\u005bsibyl')}]`

/** Returns the fact of an observation. One of another client has its text alone, and an id of that. */
export const factOfObservation = (observation: string): Fact => {
  const at = observation.lastIndexOf(mark)
  const known = at < 0 ? undefined : details.safeParse(parseJson(observation.slice(at + mark.length, -1))).data
  if (known !== undefined) return { text: observation.slice(0, at).slice(0, maxFactText), ...known }
  const id = `g${createHash('sha256').update(observation).digest('hex').slice(0, 20)}`
  return {
    id,
    text: observation.slice(0, maxFactText),
    tags: [],
    importance: usualImportance,
    createdAt: 0,
    updatedAt: 0,
  }
}
