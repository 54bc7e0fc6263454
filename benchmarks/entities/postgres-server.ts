// Bare Hono on PostgreSQL through a pool: stores a body in one durable insert, reads one, and pages of them.
import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'pg'
import { reportUrl, serverOptions } from '../ussd-sessions/bare-server.ts'

const pool = new Pool({ connectionString: process.env.BENCH_DATABASE, max: 10 })
await pool.query('create table entity (number bigserial primary key, id text not null unique, body text not null)')

const app = new Hono()
app.post('/v1/entities', async c => {
  const entity = { did: randomUUID(), ...(await c.req.json<object>()) }
  const text = 'insert into entity (id, body) values ($1, $2)'
  await pool.query({ name: 'insert', text, values: [entity.did, JSON.stringify(entity)] })
  return c.json(entity, 201)
})
app.get('/v1/entities', async c => {
  const { rows } = await pool.query({ name: 'page', text: 'select body from entity order by number desc limit 50' })
  return c.json({ entities: rows.map(row => JSON.parse(row.body)) })
})
app.get('/v1/entities/:did', async c => {
  const text = 'select body from entity where id = $1'
  const { rows } = await pool.query({ name: 'select', text, values: [c.req.param('did')] })
  return rows.length > 0 ? c.json(JSON.parse(rows[0].body)) : c.notFound()
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, reportUrl)
