const maxCauses = 8

/** An error, what caused it and so on; the last try of several stands for all of them. */
export function* errorCauses(error: unknown): Generator<object> {
  let current = error
  for (let depth = 0; depth < maxCauses && typeof current === 'object' && current !== null; depth += 1) {
    yield current
    current = propertyOf(current, 'lastError') ?? propertyOf(current, 'cause')
  }
}

/** Returns a property of any value; undefined if it is missing, or reading it fails. */
export const propertyOf = (value: unknown, key: string): unknown => {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  } catch {
    return undefined
  }
}
