import { utcDay } from '@sibyl/protocol'
import { type Fact, oneLine } from './fact.ts'

/** A fact as a line: the day on which it was last told, its tags, its text. @example '2026-08-01 [food]: Ada likes tea' */
export const factLine = ({ text, tags, updatedAt }: Fact): string => {
  const day = utcDay(updatedAt)
  return `${day}${tags.length > 0 ? ` [${tags.map(oneLine).join(', ')}]` : ''}: ${oneLine(text)}`
}
