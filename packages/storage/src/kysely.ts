/** All of Kysely that runs here, in one place: the build makes one small file of it, of the 304 that Kysely consists of. */
export {
  DefaultQueryExecutor,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  Transaction,
} from 'kysely'
