import { storageErrors } from '../errors/storage-errors.ts'

/** A query parameter that both engines accept. */
export type BoundValue = string | number | bigint | boolean | null | Uint8Array

const LARGEST_INTEGER = 2n ** 63n - 1n

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return value?.constructor?.name ? `an object (${value.constructor.name})` : 'an object'
  return value === undefined ? 'undefined' : `a ${typeof value}`
}

const refuse = (index: number, kind: string, remedy: string): never => {
  throw storageErrors.value_not_storable({ position: index + 1, kind, remedy })
}

/** A large whole number as the digits it stands for; drivers that write it as text would round them. */
const exactly = (value: number): number | bigint =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : value

/**
 * Checks one query parameter and brings it to a form that means the same on both engines: a Date becomes its
 * milliseconds since 1970.
 *
 * @param index the position among the query's parameters, from 0
 * @throws `value_not_storable` for undefined, objects, arrays, functions, NaN, infinite numbers,
 * integers beyond 64 bits and text with a NUL character
 */
export const bindValue = (value: unknown, index: number): BoundValue => {
  switch (typeof value) {
    case 'string':
      return value.includes('\0') ? refuse(index, 'text with a NUL character', 'Remove the character.') : value
    case 'number':
      return Number.isFinite(value) ? exactly(value) : refuse(index, String(value), 'Pass a finite number or null.')
    case 'boolean':
      return value
    case 'bigint':
      return value > LARGEST_INTEGER || value < -LARGEST_INTEGER - 1n
        ? refuse(index, 'an integer beyond 64 bits', 'Store it as text.')
        : value
    case 'undefined':
      return refuse(index, 'undefined', 'Pass null, or omit the column.')
  }
  if (value === null || value instanceof Uint8Array) return value
  if (value instanceof Date) {
    const milliseconds = value.getTime()
    return Number.isNaN(milliseconds) ? refuse(index, 'an invalid Date', 'Pass a valid one or null.') : milliseconds
  }
  return refuse(index, kindOf(value), 'Wrap it in toJson() for a JSON column.')
}
