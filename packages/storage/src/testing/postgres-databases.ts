import { randomBytes } from 'node:crypto'
import { loadPg, type PgModule } from '../postgres/load-driver.ts'

type Client = InstanceType<PgModule['Client']>

/** PostgreSQL 15 writes a new database to its log by default, which takes ten times as long as to copy its files. */
const createSql = `select format('create database %I', $1::text)
  || case when current_setting('server_version_num')::int >= 150000 then ' strategy file_copy' else '' end as command`

/** The databases that one test file makes on a server. */
export class PostgresDatabases {
  readonly #folder: string
  readonly #names: string[] = []

  /** @param folder of the server's socket */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Makes an empty database and returns its URL. */
  async create(): Promise<string> {
    const name = `test_${randomBytes(8).toString('hex')}`
    await this.#run(async client => {
      const { rows } = await client.query<{ command: string }>(createSql, [name])
      for (const { command } of rows) await client.query(command)
    })
    this.#names.push(name)
    return this.#url(name)
  }

  /** Removes them, also while something is connected. */
  async remove(): Promise<void> {
    const names = this.#names.splice(0)
    if (names.length === 0) return
    await this.#run(async client => {
      for (const name of names) await client.query(`drop database ${name} with (force)`)
    })
  }

  async #run(work: (client: Client) => Promise<void>): Promise<void> {
    const pg = await loadPg()
    const client = new pg.Client({ connectionString: this.#url('postgres') })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }

  #url(database: string): string {
    return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(this.#folder)}`
  }
}
