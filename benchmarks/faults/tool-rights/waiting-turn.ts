import { readStream } from '@sibyl/testing'
import type { Bench } from './bench.ts'
import type { Caller } from './callers.ts'
import { callAll, type Plan, readAll } from './plans.ts'
import type { Trial, WantedVerdicts } from './tally.ts'
import { type Verdict, verdictOfResponse, verdictOfResult } from './verdict.ts'

/** A turn whose calls wait for a person. */
export interface WaitingTurn {
  readonly plan: Plan
  readonly session: string
  /** The ids of the questions, by tool. */
  readonly questions: ReadonlyMap<string, string>
  /** The verdicts on the calls about which no one is asked. */
  readonly refused: ReadonlyMap<string, Verdict>
  /** The verdicts on the approved calls, once the turn goes on. */
  readonly approved: ReadonlyMap<string, Verdict>
}

/** A plan that asks about every tool, and calls every tool again without asking once the turn goes on. */
export interface AskingPlan extends Plan {
  readonly approved: ReadonlyMap<string, Verdict>
}

/** Makes a plan for a turn that waits. @param first What happens while it goes on, before the calls. */
export const planAsking = ({ oracle, tools }: Bench, first?: () => Promise<unknown>): AskingPlan => {
  const approved = new Map<string, Verdict>()
  const plan = oracle.plans.make(made => {
    const read = readAll(made, { id: 'a' })
    const again = callAll(made, tools, { id: 'b', ...(first && { first }) })
    return [
      callAll(made, tools, { id: 'a', ask: true }),
      call => {
        read(call)
        for (const [tool, verdict] of made.verdicts) {
          const fits = (verdict === 'run') === made.ran.has(tool)
          if (fits) approved.set(tool, verdict)
        }
        return again(call)
      },
      readAll(made, { id: 'b' }),
    ]
  })
  return Object.assign(plan, { approved })
}

/** Says the text of a plan, and gathers the questions. @returns the verdict where no turn begins */
export const askForAll = async (
  caller: Pick<Caller, 'request'>,
  plan: AskingPlan,
  session: string = crypto.randomUUID(),
): Promise<WaitingTurn | Verdict> => {
  const answer = await caller.request('/chat', { json: { id: session, message: plan.text } })
  if (answer.status !== 200) return verdictOfResponse(answer)
  const { events } = await readStream(answer)
  const toolOf = (toolCallId: unknown) => String(toolCallId).slice('a-'.length)
  const questions = new Map<string, string>()
  const refused = new Map<string, Verdict>()
  for (const { type, toolCallId, approvalId, errorText } of events) {
    if (type === 'tool-approval-request') questions.set(toolOf(toolCallId), String(approvalId))
    if (typeof errorText === 'string') refused.set(toolOf(toolCallId), verdictOfResult(errorText))
  }
  return { plan, session, questions, refused, approved: plan.approved }
}

/** Compares what was asked: a question, or a call that was approved for the session, where the routes let the caller do it. */
export const compareAsked = (bench: Bench, trial: Trial, wanted: WantedVerdicts, turn: WaitingTurn): void => {
  for (const tool of bench.tools) {
    const isRun = turn.questions.has(tool) || turn.plan.ran.has(tool)
    const found = isRun ? 'run' : (turn.refused.get(tool) ?? 'nothing')
    bench.tally.compare(trial, tool, wanted(tool), found)
  }
}

/** Expected verdicts of a turn's tools. */
export interface WantedOfDecision {
  /** The call that a question was about. */
  readonly decided: WantedVerdicts
  /** The calls of the turn that goes on, judged once it is over. */
  goesOn(): Promise<WantedVerdicts>
}

/** Approves every call of a turn, denies those that may not be approved, and compares what then runs. */
export const decideAll = async (
  { tally, tools, oracle, random }: Bench,
  trial: Pick<Trial, 'state' | 'caller'>,
  turn: WaitingTurn,
  decider: Pick<Caller, 'request'>,
  wanted: WantedOfDecision,
): Promise<void> => {
  const decide = (id: string, decision: string) =>
    decider.request(`/chat/${turn.session}/approvals/${id}`, { json: { decision } })
  const continues: Response[] = []
  const decided = new Map<string, Verdict>()
  const keep = (answer: Response): boolean => {
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) continues.push(answer)
    return isStream
  }
  for (const [tool, id] of turn.questions) {
    const answer = await decide(id, random.pick(['once', 'session']))
    decided.set(tool, keep(answer) ? 'run' : await verdictOfResponse(answer))
  }
  for (const [tool, verdict] of decided) if (verdict !== 'run') keep(await decide(turn.questions.get(tool)!, 'deny'))
  for (const answer of continues) await readStream(answer)
  for (const [tool, verdict] of decided) {
    const found = verdict === 'run' ? (turn.approved.get(tool) ?? 'nothing') : verdict
    tally.compare({ ...trial, channel: 'approval, decided' }, tool, wanted.decided(tool), found)
  }
  if (continues.length > 0) {
    tally.compareAll({ ...trial, channel: 'approval, goes on' }, tools, await wanted.goesOn(), turn.plan)
  }
  oracle.plans.drop(turn.plan)
}
