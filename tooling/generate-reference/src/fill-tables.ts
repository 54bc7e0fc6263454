/**
 * Puts tables into a page, each in the place of the line `<!-- name -->`.
 *
 * @throws Error if the page has no place for a table, or a place without a table
 */
export const fillTables = (page: string, tables: Readonly<Record<string, string>>): string => {
  const missing = new Set(Object.keys(tables))
  const filled = page.replace(/^<!-- (.+) -->$/gm, (line, name: string) => {
    if (!missing.delete(name)) throw new Error(`There is no table for '${line}'.`)
    return tables[name]!
  })
  if (missing.size > 0) throw new Error(`The page has no place for ${[...missing].join(', ')}.`)
  return filled
}
