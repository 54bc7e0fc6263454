import { expect, test } from 'vitest'
import { eachRow, unlessNone } from './each-row.ts'

/** The numbers up to a last one, three at a time, as a database that answers at once returns them. */
const numbers = (last: number) =>
  eachRow<number>(async (behind = 0) =>
    Array.from({ length: Math.min(3, last - behind) }, (_, index) => behind + index + 1),
  )

const allOf = async <Row>(rows: AsyncIterable<Row>): Promise<Row[]> => {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  return all
}

test('all rows are read, page by page', async () => {
  for (const last of [0, 1, 3, 7]) {
    expect(await allOf(numbers(last))).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  }
})

test('the event loop turns between two pages', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await allOf(numbers(30))
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(9)
})

test('an empty list is undefined, another has its items', async () => {
  expect(await unlessNone(numbers(0), String)).toBeUndefined()
  expect(await allOf((await unlessNone(numbers(4), String))!)).toEqual(['1', '2', '3', '4'])
})
