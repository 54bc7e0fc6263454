// Bare Hono with one durable write a request: reads the body, stores it on node:sqlite with synchronous=FULL, answers.
import { DatabaseSync } from 'node:sqlite'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { reportUrl, serverOptions } from './bare-server.ts'
import { constantReply } from './session-script.ts'

const database = new DatabaseSync(process.env.BENCH_DATABASE ?? ':memory:')
database.exec('pragma journal_mode = wal; pragma synchronous = full')
database.exec('create table session (id text primary key, text text not null, at integer not null)')
const upsert = database.prepare(
  'insert into session (id, text, at) values (?, ?, ?) on conflict (id) do update set text = excluded.text, at = excluded.at',
)

const app = new Hono()
app.post('/api/ussd', async c => {
  const { sessionId, text } = await c.req.json<{ sessionId: string; text: string }>()
  upsert.run(sessionId, text, Date.now())
  return c.text(constantReply)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, reportUrl)
