import type { EntitiesStorage } from '../storage/entities-tables.ts'

/**
 * The version that an entity had at a time, found by halving the range of its versions: their times never go back.
 *
 * @param at milliseconds since 1970; what was changed at that time counts
 * @returns 0 where it was not there yet
 */
export const versionAt = async (
  read: EntitiesStorage['read'],
  { id, version, updatedAt }: { readonly id: string; readonly version: number; readonly updatedAt: number },
  at: number,
): Promise<number> => {
  if (updatedAt <= at) return version
  let [low, high] = [0, version]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const time = await timeOf(read, id, middle)
    if (time !== undefined && time <= at) low = middle
    else high = middle
  }
  return low
}

const timeOf = async (read: EntitiesStorage['read'], id: string, version: number): Promise<number | undefined> => {
  const row = await read
    .selectFrom('entities_events')
    .select('at')
    .where('entity_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.at
}
