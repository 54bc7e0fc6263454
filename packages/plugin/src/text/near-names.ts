/** Returns the names that are similar to a mistyped one, closest first, at most three. */
export const nearNames = (wanted: string, names: readonly string[]): string[] =>
  names
    .map(name => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)) || name.includes(wanted))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)

/** Returns the number of inserted, removed and changed characters between two words (Levenshtein). */
export const editDistance = (one: string, other: string): number => {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1
      current[column] = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + change)
    }
    previous = current
  }
  return previous[other.length]!
}
