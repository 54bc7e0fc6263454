import { standardLimits } from '../text/measure.ts'
import { createFlowMachine } from './create-flow-machine.ts'
import type { Flow } from './flow.ts'
import type { ActionOutcome, FlowFacts, FlowState, FlowStep } from './flow-machine.ts'

export const facts: FlowFacts = { phoneNumber: '+260971234567', serviceCode: '*1234#', limits: standardLimits }

/** A session of a flow, moved by a test. */
export interface DrivenFlow {
  readonly step: FlowStep
  readonly state: FlowState
  /** The text on the phone; with the prefix `END ` for the last text, and `RUN` for an action. */
  readonly shown: string
  /** Sends an answer, and returns the next text. */
  type(typed: string, seen?: boolean): string
  /** Ends the running action. */
  end(outcome: ActionOutcome | Extract<ActionOutcome, { kind: 'done' }>['result']): string
  /** Returns the `show` of the state. */
  again(): string
}

/** Begins a session. */
export const driveFlow = (flow: Flow, options: { language?: string; facts?: Partial<FlowFacts> } = {}): DrivenFlow => {
  const machine = createFlowMachine(flow)
  const reported = { ...facts, ...options.facts }
  let step = machine.begin(reported, options.language === undefined ? {} : { language: options.language })
  const textOf = () => {
    if (step.kind === 'run') return 'RUN'
    return step.reply.kind === 'end' ? `END ${step.reply.text}` : step.reply.text
  }
  const stored = () => JSON.parse(JSON.stringify(step.state)) as FlowState
  return {
    get step() {
      return step
    },
    get state() {
      return step.state
    },
    get shown() {
      return textOf()
    },
    type: (typed, seen) => {
      step = machine.input(stored(), typed, reported, seen)
      return textOf()
    },
    end: outcome => {
      step = machine.afterAction(stored(), 'kind' in outcome ? outcome : { kind: 'done', result: outcome }, reported)
      return textOf()
    },
    again: () => machine.show(stored(), reported).text,
  }
}
