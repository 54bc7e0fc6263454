// The floor: Hono and the AI SDK with the provider loaded, and one route.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { serve } from '@hono/node-server'
import { ToolLoopAgent } from 'ai'
import { Hono } from 'hono'

const provider = createOpenAICompatible({ name: 'fake', baseURL: 'http://127.0.0.1:1', apiKey: 'none' })
const agent = new ToolLoopAgent({ model: provider('m') })
const app = new Hono()
app.get('/health', c => c.json({ status: 'ok', version: agent.version }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
