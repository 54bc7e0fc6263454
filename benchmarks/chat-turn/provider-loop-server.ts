// A second floor, which no product reaches: the same turn as a loop over the provider's doStream, its events written straight to
// the response. No prompt conversion, validation of what the model sends, abort, guard or ids.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'

const provider = createOpenAICompatible({ name: 'fake', baseURL: process.env.OPENAI_BASE_URL ?? '', apiKey: 'none' })
const model = provider('fake-model')
type CallOptions = Parameters<typeof model.doStream>[0]
type Message = CallOptions['prompt'][number]

const tools: NonNullable<CallOptions['tools']> = [
  {
    type: 'function',
    name: 'get_current_weather',
    description: 'The current weather in a city.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 100 } },
      required: ['city'],
      additionalProperties: false,
    },
  },
]
const maxSteps = 20

const server = createServer(async (request, response) => {
  if (request.url !== '/chat') return void response.end('{"status":"ok"}')
  const { message } = JSON.parse(await text(request)) as { message: { parts: [{ text: string }] } }
  const prompt: Message[] = [
    { role: 'system', content: 'You are an oracle.' },
    { role: 'user', content: [{ type: 'text', text: message.parts[0].text }] },
  ]
  const write = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  write({ type: 'start' })
  for (let step = 0; step < maxSteps; step += 1) {
    write({ type: 'start-step' })
    const { stream } = await model.doStream({ prompt, tools })
    const results: Message[] = []
    for await (const part of stream) {
      if (part.type === 'text-start' || part.type === 'text-end') write({ type: part.type, id: part.id })
      else if (part.type === 'text-delta') write({ type: 'text-delta', id: part.id, delta: part.delta })
      else if (part.type === 'error') throw part.error
      else if (part.type === 'tool-call') {
        const { toolCallId, toolName } = part
        const input = JSON.parse(part.input) as { city: string }
        write({ type: 'tool-input-available', toolCallId, toolName, input })
        const output = { city: input.city, temp_c: 14, conditions: 'slight rain' }
        write({ type: 'tool-output-available', toolCallId, output })
        const result = { type: 'tool-result', toolCallId, toolName, output: { type: 'json', value: output } } as const
        results.push(
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
          { role: 'tool', content: [result] },
        )
      }
    }
    write({ type: 'finish-step' })
    if (results.length === 0) break
    prompt.push(...results)
  }
  write({ type: 'finish' })
  response.end('data: [DONE]\n\n')
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(`listening http://127.0.0.1:${port}`)
})
