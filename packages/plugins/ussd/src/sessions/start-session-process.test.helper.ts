import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ActionScreen } from '../flow/flow.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'

/** What `session-process.test.helper.ts` is started with. */
export interface SessionProcessOptions {
  readonly url: string
  /** The file where its action notes each of its runs. */
  readonly journal: string
  readonly effect: ActionScreen['effect']
  /** Whether its action never ends. */
  readonly hangs?: boolean
}

/** A session engine in a process of its own. */
export interface SessionProcess extends AsyncDisposable {
  /** The answer, or undefined when the process ended before it came. */
  serve(request: Partial<UssdRequest>): Promise<UssdReply | undefined>
  kill(): Promise<void>
}

/** Starts a process; it is killed at the latest when it is disposed of. */
export const startSessionProcess = async (options: SessionProcessOptions): Promise<SessionProcess> => {
  const file = new URL('./session-process.test.helper.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--conditions=sibyl-source', '--no-warnings', file, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<UssdReply | undefined>>()
  const ready = Promise.withResolvers<UssdReply | undefined>()
  waiting.set(0, ready)
  createInterface({ input: child.stdout }).on('line', line => {
    const { number, reply, error } = JSON.parse(line) as { number: number; reply?: UssdReply; error?: string }
    const one = waiting.get(number)
    waiting.delete(number)
    if (error === undefined) one?.resolve(reply)
    else one?.reject(new Error(error))
  })
  void ended.then(() => {
    for (const one of waiting.values()) one.resolve(undefined)
  })
  child.stdin.on('error', () => {})
  let number = 0
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  await ready.promise
  return {
    serve(more) {
      const request: UssdRequest = {
        provider: 'plain',
        sessionId: 's1',
        phoneNumber: '+260971234567',
        serviceCode: '*1234#',
        event: more.text ? 'input' : 'dial',
        text: '',
        textMode: 'cumulative',
        limits: { gsm7: 182, ucs2: 80 },
        ...more,
      }
      number += 1
      const answer = Promise.withResolvers<UssdReply | undefined>()
      waiting.set(number, answer)
      child.stdin.write(`${JSON.stringify({ number, request })}\n`)
      return answer.promise
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
