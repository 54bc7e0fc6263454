/** @import { EntityRecord, JsonValue } from '@sibyl/protocol' */

/** Properties that people name things by, the first that is there. */
const naming = ['name', 'title', 'label', 'serial', 'serialNumber']

/**
 * Returns a readable name of an entity.
 *
 * @param {Pick<EntityRecord, 'type' | 'properties' | 'did'>} entity
 * @returns {string} at most 80 characters
 */
export const nameOf = ({ type, properties, did }) => {
  for (const property of naming) {
    const value = Object.hasOwn(properties, property) ? properties[property] : undefined
    if (typeof value === 'string' && value.trim() !== '') return cut(value.trim(), 80)
    if (typeof value === 'number') return `${type} ${value}`
  }
  return `${type} ${ending(did)}`
}

/**
 * Returns the end of an identifier, which distinguishes it from others: `…k3f9xq`.
 *
 * @param {string} id
 */
export const ending = id => `…${id.slice(-6)}`

/**
 * An identifier, short enough for a line.
 *
 * @param {string} id
 */
export const shortId = id => {
  if (id.length <= 40) return id
  const method = /^did:[a-z0-9]+:|^urn:uuid:/.exec(id)?.[0] ?? ''
  return `${id.slice(0, Math.max(method.length + 6, 18))}…${id.slice(-8)}`
}

/**
 * @param {string} text
 * @param {number} most characters
 */
export const cut = (text, most) => {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/**
 * A value on one line or several.
 *
 * @param {JsonValue} value
 */
export const valueText = value => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value, undefined, 2) : String(value)
}

/**
 * A time as its reader writes times: `21 Nov 2026, 14:05`.
 *
 * @param {string} iso
 */
export const timeText = iso => {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/**
 * A count with its noun: `1 edge`, `2 edges`.
 *
 * @param {number} count
 * @param {string} noun
 * @param {string} [plural]
 */
export const counted = (count, noun, plural = `${noun}s`) => `${count.toLocaleString()} ${count === 1 ? noun : plural}`
