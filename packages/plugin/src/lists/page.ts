import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defineToolFailures } from '../errors/define-errors.ts'

export const listErrors = defineToolFailures({
  cursor_invalid: {
    status: 400,
    message:
      'The cursor does not belong to this list with the same filters. Send the `next` of a page, or start without a cursor.',
  },
})

/** Definition of a list that is read in pages. */
export interface PageDefinition<Name extends string, Item extends z.ZodType, Key extends z.ZodType> {
  /** Member of the response with the items: `files`. Cursors of lists with other names are rejected. */
  readonly name: Name
  /** Schema of an item as the response has it. */
  readonly item: Item
  /** Schema of the key after which a page starts: text, a number, or a tuple of them. @default any text */
  readonly key?: Key
  /** Default number of items of a page. @default 50 */
  readonly limit?: number
  /** Maximum items of a page. @default 200 */
  readonly maxLimit?: number
}

/**
 * Values that filter the items of a list; undefined and missing are equal, and the order of members does not matter.
 */
export type PageFilters = Readonly<Record<string, unknown>>

/** Settings of one page. */
export interface PageOptions<Row, Key, Item> {
  /** Limit of the query string; `rows` has one more where there is a next page. */
  readonly limit: number
  /** The same as for `read`. */
  readonly filters?: PageFilters
  /** Returns the key of a row. */
  readonly keyOf: (row: Row) => Key
  /** Returns the item of a row. */
  readonly itemOf: (row: Row) => Item
}

/** A list that is read in pages: schemas for the route, cursors for the handler. */
export interface Page<Name extends string, Item extends z.ZodType, Key> {
  /** Schema of the query string: `limit` and `cursor`; `.extend` adds filters. */
  readonly query: z.ZodObject<{
    limit: z.ZodDefault<z.ZodCoercedNumber<unknown>>
    cursor: z.ZodOptional<z.ZodString>
  }>
  /** Schema of the response: the items under their name, and `next`; `.extend` adds members. */
  readonly response: z.ZodObject<{ [Member in Name]: z.ZodArray<Item> } & { next: z.ZodOptional<z.ZodString> }>
  /**
   * Returns the key after which a page starts; undefined for the first page.
   *
   * @throws `cursor_invalid` when the cursor belongs to another list or other filters
   */
  read(cursor: string | undefined, filters?: PageFilters): Key | undefined
  /** Returns the cursor of the page that starts after a key, for lists whose pages may end before the limit. */
  cursor(key: Key, filters?: PageFilters): string
  /** Creates a page from at most `limit + 1` rows after the key of the cursor. */
  make<Row>(
    rows: readonly Row[],
    options: PageOptions<Row, Key, z.output<Item>>,
  ): { [Member in Name]: z.output<Item>[] } & { next?: string }
}

/** Longest cursor, in characters. */
const maxCursor = 4_000

/**
 * Defines a list that is read in pages, with cursors that are opaque and bound to the filters.
 *
 * @example const ports = page({ name: 'ports', item: portRecord, limit: 100, maxLimit: 1_000 }) // in the handler of a
 * route whose query is ports.query.extend({ country: z.string().optional() }) const behind = ports.read(cursor, {
 * country }) const rows = await readPorts({ country, behind, limit: limit + 1 }) return c.json(ports.make(rows, {
 * limit, filters: { country }, keyOf: row => row.name, itemOf: recordOf }), 200)
 */
export const page = <const Name extends string, Item extends z.ZodType, Key extends z.ZodType = z.ZodString>({
  name,
  item,
  key = z.string() as unknown as Key,
  limit = 50,
  maxLimit = 200,
}: PageDefinition<Name, Item, Key>): Page<Name, Item, z.output<Key>> => {
  const hashOf = (filters: PageFilters) => filtersHash([name, filters])
  const next = z.string().optional().meta({ description: 'The `cursor` of the next page; absent on the last one' })
  const cursor = z.string().min(1).max(maxCursor).optional()
  return {
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxLimit)
        .default(limit)
        .meta({ description: 'Maximum items of the page' }),
      cursor: cursor.meta({ description: 'The `next` of the previous page, with the same filters' }),
    }),
    response: z.object({ [name]: z.array(item), next }) as unknown as Page<Name, Item, z.output<Key>>['response'],
    read(given, filters = {}) {
      if (given === undefined) return undefined
      const parts = partsOf(given)
      const parsed = key.safeParse(parts?.key)
      if (parts?.hash !== hashOf(filters) || !parsed.success || !isStorable(parsed.data)) {
        throw listErrors.cursor_invalid()
      }
      return parsed.data
    },
    cursor: (given, filters = {}) => cursorOf(given, hashOf(filters)),
    make(rows, { limit: max, filters = {}, keyOf, itemOf }) {
      const shown = rows.slice(0, max)
      const last = rows.length > max ? shown.at(-1) : undefined
      const items = { [name]: shown.map(itemOf) } as { [Member in Name]: z.output<Item>[] }
      return last === undefined ? items : { ...items, next: cursorOf(keyOf(last), hashOf(filters)) }
    },
  }
}

const cursorOf = (key: unknown, hash: string): string => Buffer.from(JSON.stringify([key, hash])).toString('base64url')

const partsOf = (cursor: string): { readonly key: unknown; readonly hash: unknown } | undefined => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? { key: parts[0], hash: parts[1] } : undefined
  } catch {
    return undefined
  }
}

/** A cursor can be forged, and a database rejects some text and numbers. */
const isStorable = (key: unknown): boolean => {
  if (Array.isArray(key)) return key.every(isStorable)
  if (typeof key === 'number') return Number.isSafeInteger(key) || !Number.isInteger(key)
  return typeof key !== 'string' || (key.isWellFormed() && !key.includes('\0'))
}

/** Returns a short hash of a value of JSON; the order of members does not matter, and undefined members are missing. */
const filtersHash = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, member: unknown) => sorted(member)))
    .digest('base64url')
    .slice(0, 12)

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
