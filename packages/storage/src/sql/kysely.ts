/** The used parts of Kysely in one place: the build bundles them into storage. */

export type { Generated, Selectable } from 'kysely'
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
