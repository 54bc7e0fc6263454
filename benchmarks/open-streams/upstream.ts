// A fake OpenAI server whose answers take ten minutes: a word every two seconds.
import { startFakeOpenAi } from '@sibyl/testing'

const text = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
const server = await startFakeOpenAi({ record: false, replies: () => ({ text, eventDelayMs: 2_000 }) })
console.log(server.url)
process.once('SIGTERM', () => process.exit(0))
