// The floor: bare Hono that returns a constant.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { reportUrl, serverOptions } from './bare-server.ts'
import { constantReply } from './session-script.ts'

const app = new Hono()
app.post('/api/ussd', c => c.text(constantReply))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, reportUrl)
