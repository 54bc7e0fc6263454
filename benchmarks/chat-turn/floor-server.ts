// The floor: the same turn on the bare AI SDK and Hono, with no identity, gate, storage or resume.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { serve } from '@hono/node-server'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  ToolLoopAgent,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { Hono } from 'hono'
import { z } from 'zod'

const provider = createOpenAICompatible({ name: 'fake', baseURL: process.env.OPENAI_BASE_URL ?? '', apiKey: 'none' })

const getCurrentWeather = tool({
  description: 'The current weather in a city.',
  inputSchema: z.object({ city: z.string().max(100) }),
  execute: async ({ city }) => ({ city, temp_c: 14, conditions: 'slight rain' }),
})

const app = new Hono()
app.get('/health', c => c.json({ status: 'ok' }))
app.post('/chat', async c => {
  const { message } = await c.req.json<{ message: UIMessage }>()
  const agent = new ToolLoopAgent({
    model: provider('fake-model'),
    instructions: 'You are an oracle.',
    tools: { get_current_weather: getCurrentWeather },
    stopWhen: isStepCount(20),
  })
  const result = await agent.stream({ messages: await convertToModelMessages([message]) })
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) })
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, info => {
  console.log(`listening http://127.0.0.1:${info.port}`)
})
