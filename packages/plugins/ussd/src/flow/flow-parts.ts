import type { Flow, FlowKeys } from './flow.ts'
import { createFlowSpeech, type FlowSpeech } from './flow-speech.ts'

/** A flow, prepared to be moved through. */
export interface FlowParts {
  readonly flow: Flow
  readonly speech: FlowSpeech
  readonly keys: FlowKeys
}

/** The keys of a flow that names none. */
export const defaultKeys: FlowKeys = { back: '0', more: '98', previous: '99' }

/** Prepares a flow that was checked. */
export const createFlowParts = (flow: Flow): FlowParts => ({
  flow,
  speech: createFlowSpeech(flow),
  keys: { ...defaultKeys, ...flow.keys },
})
