/** So many values go into one statement: with some hashes each, no engine's limit of variables is met. */
const mostValues = 1_000

/** Cuts a list into parts of which each fits into one statement; none of an empty list. */
export function* inParts<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += mostValues) yield values.slice(from, from + mostValues)
}
