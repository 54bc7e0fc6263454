/** Whether a database ends with its process. */
export const isInMemory = (url: string): boolean => url === 'memory:' || url === ':memory:' || url === 'file::memory:'

/** Names a database by its `DATABASE_URL`, without user and password. */
export const describeDatabase = (url: string): string => {
  if (isInMemory(url)) return 'SQLite in memory: nothing is kept after the shutdown'
  if (!/^postgres(ql)?:/.test(url)) return `SQLite ${url.replace(/^file:(\/\/)?/, '')}`
  if (!URL.canParse(url)) return 'PostgreSQL'
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? hostname
  const schema = searchParams.get('schema')
  return `PostgreSQL ${host}${port && `:${port}`} ${pathname.slice(1)}${schema === null ? '' : `, schema ${schema}`}`
}
