import { createServer } from 'node:http'

/** Charges the account outside. */
export const charge = async ({ turn, amount }) =>
  (await fetch(`${process.env.ACCOUNT_URL}/${turn}/${amount}`, { method: 'POST' })).text()

/**
 * Answers `POST /<turn>` and `POST /<turn>/resume` with text as it comes, and says where it listens. `resume` yields nothing and
 * the answer is 404 where the system knows no such turn.
 */
export const serve = async ({ start, resume }) => {
  const server = createServer(async (request, response) => {
    const [, turn, action] = request.url.split('/')
    try {
      const texts = await (action === 'resume' ? resume(turn) : start(turn))
      if (!texts) return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
      for await (const text of texts) response.write(text)
      response.end('\n')
    } catch (error) {
      console.error(error)
      response.destroy()
    }
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, did: '' })}\n`)
}
