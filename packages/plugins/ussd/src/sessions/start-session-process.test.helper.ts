import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { testProgram } from '@sibyl/testing/program'
import type { ActionScreen } from '../flow/flow.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'

/** Options of `session-process.test.helper.ts`. */
export interface SessionProcessOptions {
  readonly url: string
  /** File in which its action records each of its runs. */
  readonly journal: string
  readonly effect: ActionScreen['effect']
  /** Whether its action never ends. */
  readonly hangs?: boolean
}

/** A session engine in its own process. */
export interface SessionProcess extends AsyncDisposable {
  /** Returns the reply; undefined if the process ended first. */
  serve(request: Partial<UssdRequest>): Promise<UssdReply | undefined>
  kill(): Promise<void>
}

/** Starts a process; disposal kills it at the latest. */
export const startSessionProcess = async (options: SessionProcessOptions): Promise<SessionProcess> => {
  const file = await testProgram(new URL('./session-process.test.helper.ts', import.meta.url))
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
