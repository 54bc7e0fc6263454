import type { Connection, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { PgModule } from './load-driver.ts'

/** Runs one query on a client. */
export type RunQuery = (
  client: PoolClient,
  config: QueryConfig & { readonly query_timeout: number },
) => Promise<QueryResult>

/** Runs queries so that those of one turn of the event loop are sent in one piece. */
export const queryTogether: RunQuery = (client, config) => {
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return client.query(config)
}

/**
 * Runs each query in a transaction that begins with the settings, in one round trip: a pooler may give the next
 * transaction of the client to another session. The protocol runs all messages before a Sync in one transaction.
 *
 * @param settings a statement that returns no rows
 */
export const queryWithSettings =
  (pg: PgModule, settings: string): RunQuery =>
  (client, config) =>
    new Promise((resolve, reject) => {
      const query = new pg.Query({ ...config, queryMode: 'extended' } as QueryConfig, (error, results) => {
        if (error) reject(error)
        // The result of the settings precedes that of the query.
        else resolve((results as unknown as readonly QueryResult[]).at(-1)!)
      })
      const submit = query.submit.bind(query)
      query.submit = (connection: Connection) => {
        connection.stream.cork()
        try {
          connection.parse({ text: settings } as never, true)
          connection.bind({}, true)
          connection.execute(null, true)
          return submit(connection)
        } finally {
          connection.stream.uncork()
        }
      }
      client.query(Object.assign(query, { query_timeout: config.query_timeout }))
    })
