import { Agent } from 'node:http'
import { startChat } from '../measure/start-chat.ts'

/** Result of one load run. */
export interface LoadResult {
  readonly turnsPerSecond: number
  /** Milliseconds from the request to the first text of the answer, the median. */
  readonly firstTextMs: number
  /** Of 99 in 100 of them. */
  readonly lateTextMs: number
}

/** Runs `turns` chat turns, `concurrency` at a time, each in a session of its own. */
export const runLoad = async (
  url: string,
  turns: number,
  concurrency: number,
  token: (index: number) => string | undefined,
): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const firstTexts: number[] = []
  let next = 0
  const started = performance.now()
  const worker = async () => {
    for (let index = next++; index < turns; index = next++) {
      firstTexts.push(await chatOnce(url, agent, token(index)))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  firstTexts.sort((one, other) => one - other)
  const lateTextMs = firstTexts[Math.ceil(0.99 * firstTexts.length) - 1]!
  return { turnsPerSecond: turns / seconds, firstTextMs: firstTexts[firstTexts.length >> 1]!, lateTextMs }
}

const chatOnce = (url: string, agent: Agent, token: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    let firstText = 0
    let tail = ''
    const call = startChat({ url, agent, token, text: "What's the weather in Berlin?" }, reply => {
      reply.setEncoding('utf8')
      reply.on('data', (text: string) => {
        if (firstText === 0 && text.includes('text-delta')) firstText = performance.now() - started
        tail = (tail + text).slice(-400)
      })
      reply.on('end', () => {
        if (reply.statusCode !== 200 || !tail.includes('"type":"finish"') || !tail.endsWith('[DONE]\n\n')) {
          reject(new Error(`a turn did not end well: ${reply.statusCode} ${tail}`))
        } else resolve(firstText)
      })
      reply.on('error', reject)
    })
    call.on('error', reject)
  })
