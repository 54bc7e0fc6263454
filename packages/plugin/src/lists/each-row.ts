import { setImmediate } from 'node:timers/promises'

/**
 * Yields all rows of a list that is read page by page, with a turn of the event loop after each page.
 *
 * @param page Returns the rows after the last one; none at the end.
 * @example eachRow(last => query.where('id', '>', last?.id ?? 0).orderBy('id').limit(500).execute())
 */
export async function* eachRow<Row>(page: (last: Row | undefined) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let rows = await page(undefined); rows.length > 0; rows = await page(rows.at(-1))) {
    yield* rows
    await setImmediate()
  }
}

/** Returns the rows after `make`, or undefined for an empty list. It reads the first page. */
export const unlessNone = async <Row, Item>(
  rows: AsyncGenerator<Row>,
  make: (row: Row) => Item,
): Promise<AsyncGenerator<Item> | undefined> => {
  const first = await rows.next()
  if (first.done) return undefined
  return (async function* () {
    yield make(first.value)
    for await (const row of rows) yield make(row)
  })()
}
