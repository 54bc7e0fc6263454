import type {
  Compilable,
  CompiledQuery,
  ConnectionProvider,
  DialectAdapter,
  Kysely,
  KyselyPlugin,
  QueryCompiler,
  RawBuilder,
} from 'kysely'
import type { Engine } from './engine.ts'
import { DefaultQueryExecutor, sql } from './kysely.ts'

/** Builds a statement with `value(name)` in the place of each value of a run. Its text must depend on the engine alone. */
export type FixedStatement<Tables, Values, Row> = (
  db: Kysely<Tables>,
  value: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>,
  engine: Engine,
) => Compilable<Row>

/** The place of a value. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A query whose text is the same at each run, by a name under which PostgreSQL may prepare it once a session. */
export type NamedQuery = CompiledQuery & { readonly name?: string }

/** The texts of fixed statements, by the functions that build them. */
export class FixedTexts {
  readonly #texts = new WeakMap<object, NamedQuery>()
  #count = 0

  /** Returns the text of a statement, which is built the first time. */
  of(statement: object, build: () => CompiledQuery): NamedQuery {
    const text = this.#texts.get(statement) ?? { ...build(), name: `fixed_${++this.#count}` }
    this.#texts.set(statement, text)
    return text
  }
}

interface ExecutorParts {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
  readonly provider: ConnectionProvider
}

/** Runs the queries of one handle, and knows the texts that its storage keeps. */
export class TextKeepingExecutor extends DefaultQueryExecutor {
  readonly engine: Engine
  readonly texts: FixedTexts
  readonly #parts: ExecutorParts

  constructor(
    parts: ExecutorParts,
    { engine, texts }: { readonly engine: Engine; readonly texts: FixedTexts },
    plugins: readonly KyselyPlugin[] = [],
  ) {
    super(parts.compiler, parts.adapter, parts.provider, [...plugins])
    this.engine = engine
    this.texts = texts
    this.#parts = parts
  }

  override withPlugin(plugin: KyselyPlugin): TextKeepingExecutor {
    return new TextKeepingExecutor(this.#parts, this, [...this.plugins, plugin])
  }

  override withoutPlugins(): TextKeepingExecutor {
    return new TextKeepingExecutor(this.#parts, this)
  }
}

/**
 * Runs a statement that many turns of work run: its text is built at the first run, and each later one brings its values only.
 *
 * @param db `storage.read`, or a transaction of `storage.write`.
 * @param statement A function that is the same at each run, and runs with one form of column names alone.
 * @example
 * const release: FixedStatement<Tables, { id: string }, unknown> = (tx, value) =>
 *   tx.updateTable('places').set({ taken: 0 }).where('id', '=', value('id'))
 * await runFixed(tx, release, { id })
 */
export const runFixed = async <Tables, Values extends object, Row>(
  db: NoInfer<Kysely<Tables>>,
  statement: FixedStatement<Tables, Values, Row>,
  values: Values,
): Promise<Row[]> => {
  const text = textOf(db, statement)
  const parameters = text.parameters.map(one => (one instanceof Slot ? values[one.name as keyof Values] : one))
  const { rows } = await db.executeQuery<Row>({ ...text, parameters } as CompiledQuery<Row>)
  return rows
}

const textOf = <Tables, Values, Row>(
  db: Kysely<Tables>,
  statement: FixedStatement<Tables, Values, Row>,
): NamedQuery => {
  const executor = db.getExecutor()
  if (!(executor instanceof TextKeepingExecutor))
    throw new TypeError('A fixed statement runs on storage.read, or on a transaction of storage.write.')
  const { engine, texts } = executor
  return texts.of(statement, () => statement(db, name => sql`${new Slot(name)}`, engine).compile())
}
