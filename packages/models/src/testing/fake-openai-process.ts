import type { FakeAnswer } from './fake-openai-reply.ts'
import { startFakeOpenAi } from './fake-openai-server.ts'

const call: FakeAnswer = { toolCalls: [{ name: 'get_current_weather', arguments: { city: 'Berlin' } }] }
const answer: FakeAnswer = { text: Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ') }

const server = await startFakeOpenAi({
  port: Number(process.env.PORT ?? 0),
  record: false,
  replies: request => (!request.afterToolResult && request.tools.includes('get_current_weather') ? call : answer),
})
console.log(server.url)
