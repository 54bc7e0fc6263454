import type { McpCallOptions, McpOutcome, McpQuestion } from '../connection/mcp-connection.ts'
import type { McpLimits } from '../connection/mcp-limits.ts'
import { McpCallFailed, McpTimeout } from '../errors/mcp-errors.ts'
import { type QuestionReply, tookTooLong } from '../link/link.ts'
import { answerError, type Question, withDefaults } from './read-question.ts'

/** The early end of a call. */
export type Ending = { readonly outcome: McpOutcome } | { readonly error: unknown }

/** A call between its first request and its end, with questions to users. */
export interface OpenCall {
  /** Aborts once the call should end at the server too. */
  readonly signal: AbortSignal
  /** The number of questions that wait for a user. */
  readonly waiting: number
  /** The next that comes of it: a question, the result, or an error. */
  next(options?: McpCallOptions): Promise<McpOutcome>
  /** Asks a person; resolves with the answer, at the latest when the time for it is over. */
  ask(question: Question, withdrawn?: AbortSignal): Promise<QuestionReply>
  progress(progress: { done: number; total?: number; message?: string }): void
  end(ending: Ending): void
  /** Ends it at the server too. */
  stop(error: unknown): void
}

export interface OpenCallOptions {
  readonly server: string
  readonly limits: McpLimits
  readonly now: () => number
}

const progressEveryMs = 100

/** Begins a call; its clocks run while the server is at work, and stand while a person is asked. */
export const createOpenCall = ({ server, limits, now }: OpenCallOptions): OpenCall => {
  const abort = new AbortController()
  const pending: Ending[] = []
  let waiting = 0
  let ended: Ending | undefined
  let listener: { take(ending: Ending): void; onProgress: McpCallOptions['onProgress'] } | undefined
  let lastProgress = Number.NEGATIVE_INFINITY
  let idle: NodeJS.Timeout | undefined
  let longest: NodeJS.Timeout | undefined

  const stopClocks = () => {
    clearTimeout(idle)
    clearTimeout(longest)
  }
  const late = (ms: number) => {
    end({ error: new McpTimeout(`The MCP server ${server} did not answer the call within ${ms / 1000} seconds.`) })
    abort.abort(tookTooLong)
  }
  const restartIdle = () => {
    clearTimeout(idle)
    idle = setTimeout(late, limits.callTimeoutMs, limits.callTimeoutMs)
  }
  const startClocks = () => {
    stopClocks()
    if (ended) return
    restartIdle()
    longest = setTimeout(late, limits.longestCallMs, limits.longestCallMs)
  }

  const emit = (ending: Ending) => {
    if (listener) listener.take(ending)
    else pending.push(ending)
  }
  const end = (ending: Ending) => {
    if (ended) return
    ended = ending
    stopClocks()
    emit(ending)
  }

  const next = ({ signal, onProgress }: McpCallOptions = {}) =>
    new Promise<McpOutcome>((resolve, reject) => {
      const settle = (ending: Ending) => {
        signal?.removeEventListener('abort', cancel)
        listener = undefined
        if ('outcome' in ending) resolve(ending.outcome)
        else reject(ending.error)
      }
      const cancel = () => {
        end({ error: signal?.reason })
        abort.abort('The call was canceled.')
      }
      const first = pending.shift()
      if (first) return settle(first)
      if (ended) return settle(ended)
      listener = { take: settle, onProgress }
      if (signal?.aborted) return cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      startClocks()
    })

  const ask = (asked: Question, withdrawn?: AbortSignal) =>
    new Promise<QuestionReply>(resolve => {
      let isOpen = true
      waiting++
      stopClocks()
      const reply = (answer: QuestionReply) => {
        isOpen = false
        waiting--
        clearTimeout(timer)
        withdrawn?.removeEventListener('abort', withdraw)
        abort.signal.removeEventListener('abort', withdraw)
        resolve(answer)
      }
      const withdraw = () => isOpen && reply({ action: 'cancel' })
      // The result is discarded; the server is notified, and has the time of a call to end.
      const expire = () => {
        withdraw()
        startClocks()
      }
      const timer = setTimeout(expire, limits.questionTimeoutMs)
      withdrawn?.addEventListener('abort', withdraw, { once: true })
      abort.signal.addEventListener('abort', withdraw, { once: true })

      const question: McpQuestion = {
        kind: 'question',
        ...asked,
        async answer({ action, ...rest }, options) {
          if (ended && 'error' in ended) throw ended.error
          if (!isOpen) throw new McpCallFailed(`The question of the MCP server ${server} is no longer open.`)
          const isForm = action === 'accept' && asked.url === undefined
          const content = withDefaults(asked.schema, 'content' in rest ? rest.content : undefined)
          const violation = isForm ? answerError(asked.schema, content) : undefined
          if (violation) throw new McpCallFailed(violation)
          const outcome = next(options)
          reply({ action, ...(isForm && { content }) })
          return outcome
        },
      }
      emit({ outcome: question })
    })

  return {
    signal: abort.signal,
    get waiting() {
      return waiting
    },
    next,
    ask,
    progress(progress) {
      if (ended || waiting > 0) return
      restartIdle()
      const isLast = progress.total !== undefined && progress.done >= progress.total
      if (!isLast && now() - lastProgress < progressEveryMs) return
      lastProgress = now()
      listener?.onProgress?.(progress)
    },
    end,
    stop(error) {
      end({ error })
      abort.abort('The call was canceled.')
    },
  }
}
