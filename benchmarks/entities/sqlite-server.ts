// Bare Hono on node:sqlite with synchronous=FULL: stores a body in one durable insert, reads one, and pages of them.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { reportUrl, serverOptions } from '../ussd-sessions/bare-server.ts'

const database = new DatabaseSync(process.env.BENCH_DATABASE ?? ':memory:')
database.exec('pragma journal_mode = wal; pragma synchronous = full')
database.exec('create table entity (number integer primary key, id text not null unique, body text not null)')
const insert = database.prepare('insert into entity (id, body) values (?, ?)')
const select = database.prepare('select body from entity where id = ?')
const page = database.prepare('select body from entity order by number desc limit 50')

const app = new Hono()
app.post('/v1/entities', async c => {
  const entity = { did: randomUUID(), ...(await c.req.json<object>()) }
  insert.run(entity.did, JSON.stringify(entity))
  return c.json(entity, 201)
})
app.get('/v1/entities', c => c.json({ entities: page.all().map(row => JSON.parse(String(row.body))) }))
app.get('/v1/entities/:did', c => {
  const row = select.get(c.req.param('did'))
  return row ? c.json(JSON.parse(String(row.body))) : c.notFound()
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, reportUrl)
