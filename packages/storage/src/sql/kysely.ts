/** All of Kysely that runs here, in one place: the build takes it into storage, without what nobody here uses. */

export type { Generated } from 'kysely'
export {
  CamelCasePlugin,
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
