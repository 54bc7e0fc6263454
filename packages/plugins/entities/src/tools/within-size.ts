/** The longest output of a tool, in characters of JSON: what a model reads stays in its history. */
export const maxOutput = 2_000

/**
 * The first items that fit.
 *
 * @param room characters of JSON for them together
 * @returns how many were left out, where some were
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
