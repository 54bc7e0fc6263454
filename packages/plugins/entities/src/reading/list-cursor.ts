import { createHash } from 'node:crypto'
import { listErrors } from '@sibyl/plugin'
import type { EntityFilters } from './entity-filters.ts'

/** The `next` of a page: where the next page begins, and a sign of what was asked for; opaque to clients. */
export const cursorOf = (position: number, filters: EntityFilters): string =>
  Buffer.from(`${position}.${signOf(filters)}`).toString('base64url')

/**
 * The position before which a page begins.
 *
 * @throws `cursor_invalid` of another query's cursor, and of what is none
 */
export const positionOf = (cursor: string, filters: EntityFilters): number => {
  const [, position, sign] = /^([1-9]\d{0,14})\.(\w+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position === undefined || sign !== signOf(filters)) throw listErrors.cursor_invalid()
  return Number(position)
}

const signOf = ({ properties = {}, ...others }: EntityFilters): string => {
  const asked = [Object.entries(others), Object.entries(properties)].map(entries =>
    entries.filter(([, value]) => value !== undefined).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 16)
}
