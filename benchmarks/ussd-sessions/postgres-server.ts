// Bare Hono with one durable write a request on PostgreSQL, through a pool of connections.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'pg'
import { reportUrl, serverOptions } from './bare-server.ts'
import { constantReply } from './session-script.ts'

const pool = new Pool({ connectionString: process.env.BENCH_DATABASE, max: 10 })
await pool.query('create table session (id text primary key, text text not null, at bigint not null)')
const upsert =
  'insert into session (id, text, at) values ($1, $2, $3) on conflict (id) do update set text = excluded.text, at = excluded.at'

const app = new Hono()
app.post('/api/ussd', async c => {
  const { sessionId, text } = await c.req.json<{ sessionId: string; text: string }>()
  await pool.query({ name: 'upsert', text: upsert, values: [sessionId, text, Date.now()] })
  return c.text(constantReply)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, reportUrl)
