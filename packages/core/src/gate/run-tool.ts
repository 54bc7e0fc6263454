import { isPersonNeeded, type PersonQuestion, type Tool, type ToolCall } from '@sibyl/plugin'

/** What became of a tool's `execute`. */
export type ToolRun =
  | { readonly outcome: 'done'; readonly value: unknown }
  | { readonly outcome: 'failed'; readonly error: unknown }
  /** It cannot go on without a person. */
  | { readonly outcome: 'asks'; readonly question: PersonQuestion }
  /** It was not begun: the turn had ended. */
  | { readonly outcome: 'not_begun' }
  /** Nobody waits for it any more: what it did by then is not known. */
  | { readonly outcome: 'late' | 'cut_off' }

/** The longest that a timer can run, in milliseconds. */
const longestTimerMs = 2_147_483_647

/** Runs a tool at most so long, and no longer than its turn. Never rejects. */
export const runTool = (
  tool: Tool,
  input: unknown,
  call: Omit<ToolCall, 'signal'>,
  limitMs: number,
): Promise<ToolRun> => {
  const turnSignal = call.turn.signal
  if (turnSignal.aborted) return Promise.resolve({ outcome: 'not_begun' })
  const controller = new AbortController()
  return new Promise(resolve => {
    const settle = (run: ToolRun) => {
      clearTimeout(timer)
      turnSignal.removeEventListener('abort', onTurnEnd)
      resolve(run)
    }
    const giveUp = (outcome: 'late' | 'cut_off', why: string) => {
      settle({ outcome })
      controller.abort(new Error(why))
    }
    const onTurnEnd = () => giveUp('cut_off', 'the turn ended')
    const timer = setTimeout(() => giveUp('late', 'the time limit is over'), Math.min(limitMs, longestTimerMs))
    turnSignal.addEventListener('abort', onTurnEnd, { once: true })
    Promise.resolve()
      .then(() => tool.execute(input, { ...call, signal: controller.signal }))
      .then(
        value => settle({ outcome: 'done', value }),
        error =>
          settle(isPersonNeeded(error) ? { outcome: 'asks', question: error.question } : { outcome: 'failed', error }),
      )
  })
}
