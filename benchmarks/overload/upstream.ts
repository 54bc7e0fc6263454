// A fake OpenAI server whose first word comes at once, then one every two seconds for two minutes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const server = createServer((incoming, response) => {
  incoming.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event({ role: 'assistant', content: 'first ' }))
  let words = 0
  const timer = setInterval(() => {
    if (response.destroyed) return clearInterval(timer)
    words += 1
    if (words < 60) response.write(event({ content: 'word ' }))
    else {
      clearInterval(timer)
      response.end(`${event({}, 'stop')}data: [DONE]\n\n`)
    }
  }, 2_000)
})
server.listen(0, '127.0.0.1', 4_096, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
process.once('SIGTERM', () => process.exit(0))
