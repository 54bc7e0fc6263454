import { createHash } from 'node:crypto'

/** Returns a short hash of a value of JSON; the order of members does not matter, and undefined members are missing. */
export const filtersHash = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, member: unknown) => sorted(member)))
    .digest('base64url')
    .slice(0, 12)

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
