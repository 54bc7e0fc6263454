/** SQLite is embedded and serves one process; PostgreSQL serves any number. */
export type Engine = 'sqlite' | 'postgres'
