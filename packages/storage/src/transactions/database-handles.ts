import type { ConnectionProvider, DatabaseConnection, Dialect, Driver, KyselyProps } from 'kysely'
import { storageErrors } from '../errors/storage-errors.ts'
import type { Engine } from '../sql/engine.ts'
import { FixedTexts, TextKeepingExecutor } from '../sql/fixed-statement.ts'
import { Kysely, Transaction } from '../sql/kysely.ts'
import type { TransactionScope } from './transaction-scope.ts'

const refuse = (method: string) => async (): Promise<never> => {
  throw storageErrors.handle_misuse({
    method,
    instead: 'Use storage.write for a transaction and storage.close at the end.',
  })
}

/** Connections come from our own providers, so all that is left of Kysely's driver is to refuse what only storage may do. */
const refusingDriver: Driver = {
  init: async () => {},
  acquireConnection: refuse('acquireConnection'),
  beginTransaction: refuse('transaction()'),
  commitTransaction: refuse('commit()'),
  rollbackTransaction: refuse('rollback()'),
  releaseConnection: async () => {},
  destroy: refuse('destroy()'),
}

/** The parts of a Kysely dialect that differ between engines. */
export type QueryLanguage = Pick<Dialect, 'createQueryCompiler' | 'createAdapter' | 'createIntrospector'>

/** Makes the Kysely objects that callers hold: one for reading, one for each write. */
export class DatabaseHandles {
  readonly #dialect: Dialect
  readonly #compiler
  readonly #adapter
  readonly #kept: { readonly engine: Engine; readonly texts: FixedTexts }

  constructor(engine: Engine, language: QueryLanguage) {
    this.#kept = { engine, texts: new FixedTexts() }
    this.#dialect = {
      createDriver: () => refusingDriver,
      createQueryCompiler: () => language.createQueryCompiler(),
      createAdapter: () => language.createAdapter(),
      createIntrospector: db => language.createIntrospector(db),
    }
    this.#compiler = this.#dialect.createQueryCompiler()
    this.#adapter = this.#dialect.createAdapter()
  }

  /** A handle that takes a connection from the provider for each query. */
  reader<Tables>(provider: ConnectionProvider): Kysely<Tables> {
    return new Kysely<Tables>(this.#props(provider))
  }

  /** A handle on one connection that works as long as the scope does. */
  transaction<Tables>(connection: DatabaseConnection, scope: TransactionScope): Transaction<Tables> {
    return new Transaction<Tables>(this.#props(scope.guard(connection)))
  }

  #props(provider: ConnectionProvider): KyselyProps {
    return {
      config: { dialect: this.#dialect },
      dialect: this.#dialect,
      driver: refusingDriver,
      executor: new TextKeepingExecutor({ compiler: this.#compiler, adapter: this.#adapter, provider }, this.#kept),
    }
  }
}
