/** Maximum ids in a statement. */
const idsAStatement = 5_000

/** Splits ids into parts that each fit into one statement; none for an empty list. */
export function* idParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += idsAStatement) yield ids.slice(from, from + idsAStatement)
}
