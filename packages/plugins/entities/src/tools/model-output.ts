/** Maximum length of a tool's output, in characters of JSON; a model's input stays in its history. */
export const maxOutput = 2_000

/**
 * Returns the first items that fit.
 *
 * @param room total characters of JSON
 * @returns the items, and the number of omitted ones if any
 */
export const firstThatFit = <Item>(
  items: readonly Item[],
  room: number,
): { readonly shown: readonly Item[]; readonly more?: number } => {
  let left = room
  const shown: Item[] = []
  for (const item of items) {
    left -= JSON.stringify(item).length + 1
    if (left < 0) break
    shown.push(item)
  }
  return shown.length < items.length ? { shown, more: items.length - shown.length } : { shown }
}
