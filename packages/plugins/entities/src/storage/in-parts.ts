const largest = 64

/**
 * Cuts rows into parts of which each goes into one statement: powers of two, so that there are few different statements to
 * be prepared; none of an empty list.
 */
export function* inParts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; ) {
    const size = Math.min(2 ** Math.floor(Math.log2(rows.length - from)), largest)
    yield rows.slice(from, from + size)
    from += size
  }
}
