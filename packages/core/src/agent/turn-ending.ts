import type { MessageMetadata, Outcome, Usage } from '@sibyl/protocol'
import type { StreamEvent } from '../stream/turn-log.ts'

/** Why a running turn was cut short. */
export type CutReason = 'stopped' | 'superseded' | 'time_limit' | 'too_large' | 'shutdown'

/** How a turn ended, before it is stored. */
export interface TurnEnding {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly steps: number
  readonly finishReason: string
  /** With `failed` and `interrupted`: stable, snake_case. */
  readonly code?: string
  /** With `failed` and `interrupted`: safe to show. */
  readonly text?: string
}

/** What a person reads when a turn was cut short. */
const cutText: Readonly<Record<CutReason, string>> = {
  stopped: 'Stopped.',
  superseded: 'Stopped by a newer message.',
  time_limit: 'The answer took longer than this oracle allows. Ask again, or for less.',
  too_large: 'The answer grew larger than this oracle allows. Ask for less.',
  shutdown: 'The oracle is shutting down. Ask again in a moment.',
}

/** The ending of a turn that was cut short. */
export const cutEnding = (
  reason: CutReason,
  { usage, steps }: { readonly usage: Usage; readonly steps: number },
): TurnEnding => {
  const facts = { usage, steps, finishReason: 'other', text: cutText[reason] }
  if (reason === 'stopped' || reason === 'superseded') return { ...facts, outcome: 'stopped' }
  if (reason === 'shutdown') return { ...facts, outcome: 'interrupted', code: 'turn_interrupted' }
  return { ...facts, outcome: 'failed', code: reason === 'time_limit' ? 'turn_time_limit' : 'turn_too_large' }
}

/** The one event that ends the stream. */
export const finalEvent = (ending: TurnEnding, metadata: MessageMetadata): StreamEvent => {
  if (ending.outcome === 'stopped') return { type: 'abort', reason: ending.text ?? 'Stopped.' }
  if (ending.outcome === 'failed' || ending.outcome === 'interrupted') {
    return { type: 'error', errorText: ending.text ?? 'The turn failed.', code: ending.code ?? 'turn_failed' }
  }
  return { type: 'finish', finishReason: ending.finishReason, messageMetadata: metadata }
}
